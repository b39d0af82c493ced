import { timingSafeEqual } from 'node:crypto';
import type { Keyring, SignInChecks } from '@sluice/ports';
import type { Request, Response } from 'express';

const name = 'sluice_oidc';
const path = '/api/auth/oidc';
const context = 'oidc_start';

/** Milliseconds in which a person signs in at the issuer. */
export const signInTtlMs = 600_000;

interface Kept extends SignInChecks {
  /** Milliseconds since the epoch. */
  until: number;
}

/** Binds a sign-in to the browser that begins it. The cookie is encrypted: it holds the verifier of PKCE. */
export function setSignInCookie(
  response: Response,
  { checks, keyring, now, secure }: { checks: SignInChecks; keyring: Keyring; now: number; secure: boolean },
): void {
  const kept: Kept = { ...checks, until: now + signInTtlMs };
  const value = keyring.encrypt(JSON.stringify(kept), context);
  response.cookie(name, value, { httpOnly: true, sameSite: 'lax', secure, path, maxAge: signInTtlMs });
}

export const clearSignInCookie = (response: Response, secure: boolean): void =>
  void response.clearCookie(name, { httpOnly: true, sameSite: 'lax', secure, path });

/** What the sign-in of this browser began with; null: none, another one's state, or too long ago. */
export function checksOf(
  request: Request, { keyring, now, state }: { keyring: Keyring; now: number; state: string | undefined },
): SignInChecks | null {
  const value = (request.cookies as Record<string, unknown>)[name];
  if (typeof value !== 'string' || state === undefined) return null;
  const kept = opened(value, keyring);
  return kept !== null && kept.until > now && isSame(kept.state, state) ? kept : null;
}

function opened(value: string, keyring: Keyring): Kept | null {
  try {
    return JSON.parse(keyring.decrypt(value, context)) as Kept;
  } catch {
    return null;
  }
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
