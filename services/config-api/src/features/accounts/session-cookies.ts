import { randomBytes } from 'node:crypto';
import { apiError } from '@sluice/service-kit';
import type { Request, Response } from 'express';
import { sameText } from '../../auth/same-text';

/** Lifetime of a refresh token; every refresh starts it again. */
export const refreshTtlMs = 30 * 86_400_000;

const names = { refresh: 'sluice_refresh', csrf: 'sluice_csrf' };

/** Sets both cookies. The refresh token reaches `/api/auth` alone, the CSRF token is for scripts of the page to read. */
export function setSessionCookies(response: Response, refreshToken: string, secure: boolean): void {
  const shared = { sameSite: 'lax' as const, secure, maxAge: refreshTtlMs };
  response.cookie(names.refresh, refreshToken, { ...shared, httpOnly: true, path: '/api/auth' });
  response.cookie(names.csrf, randomBytes(24).toString('base64url'), { ...shared, path: '/' });
}

export function clearSessionCookies(response: Response, secure: boolean): void {
  response.clearCookie(names.refresh, { sameSite: 'lax', secure, httpOnly: true, path: '/api/auth' });
  response.clearCookie(names.csrf, { sameSite: 'lax', secure, path: '/' });
}

/** The refresh token of the request's cookie, null without; `isProven` when `X-CSRF-Token` carries the other cookie's value. */
export function refreshCookieOf(request: Request): { token: string; isProven: boolean } | null {
  const cookies = request.cookies as Record<string, unknown>;
  const token = cookies[names.refresh];
  if (typeof token !== 'string' || token === '') return null;
  const [cookie, header] = [cookies[names.csrf], request.get('x-csrf-token')];
  return { token, isProven: typeof cookie === 'string' && cookie !== '' && header !== undefined && sameText(cookie, header) };
}

/** The refresh token of the request's cookie, null without. Throws 403 unless the CSRF token proves it. */
export function refreshTokenOf(request: Request): string | null {
  const cookie = refreshCookieOf(request);
  if (cookie && !cookie.isProven) throw apiError('CSRF validation failed');
  return cookie?.token ?? null;
}
