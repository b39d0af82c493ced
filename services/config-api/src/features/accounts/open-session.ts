import type { NewSession } from '@sluice/ports';
import type { Request, Response } from 'express';
import type { AccountDeps } from './deps';
import { setSessionCookies } from './tokens/session-cookies';

/** What signing in needs of the routes' deps. */
export type SessionDeps = Pick<AccountDeps, 'csrfTokens' | 'publicUrl' | 'refreshTokens' | 'times' | 'tokens'>;

/** Who signs in: the address and the browser are shown in the list of sessions. */
export interface SessionCaller {
  address: string;
  request: Request;
}

/** Characters of a browser's description that are kept. */
const longestUserAgent = 256;

/** A session to be opened, with the refresh token that goes into its cookie. */
export function newSession(
  { refreshTokens, times }: Pick<SessionDeps, 'refreshTokens' | 'times'>,
  { address, request }: SessionCaller,
): { refreshToken: string; session: NewSession } {
  const { token: refreshToken, hash: tokenHash, expiresAt } = refreshTokens.first();
  const userAgent = request.get('user-agent')?.slice(0, longestUserAgent) ?? null;
  return { refreshToken, session: { tokenHash, expiresAt, lifetimeMs: times.sessionLifetimeMs, ip: address, userAgent } };
}

/** A session that was opened for somebody. */
export interface OpenedSession {
  sessionId: string;
  userId: string;
  organizationId: string | null;
}

/** Sets the cookies of an opened session and answers the body of the login answer. */
export function signedIn(deps: SessionDeps, response: Response, refreshToken: string, session: OpenedSession) {
  setCookies(deps, response, refreshToken, session.sessionId);
  return { ...tokenAnswer(deps, session), user_id: session.userId };
}

/** Opens a session and signs the user in. Answers the body of the login answer. */
export async function openSession(
  deps: SessionDeps & { store: Pick<AccountDeps['store'], 'accounts'> },
  { response, ...caller }: SessionCaller & { response: Response },
  user: { userId: string; organizationId: string | null },
) {
  const { refreshToken, session } = newSession(deps, caller);
  const sessionId = await deps.store.accounts.openSession({ ...session, ...user });
  return signedIn(deps, response, refreshToken, { ...user, sessionId });
}

export const setCookies = (deps: SessionDeps, response: Response, refreshToken: string, sessionId: string): void =>
  setSessionCookies(response, { refreshToken, csrfToken: deps.csrfTokens.of(sessionId) }, isSecure(deps));

export function tokenAnswer(deps: Pick<SessionDeps, 'tokens'>, claims: OpenedSession) {
  const { token, expiresInS } = deps.tokens.issue(claims);
  return { access_token: token, token_type: 'bearer', expires_in: expiresInS, active_org_id: claims.organizationId };
}

/** Cookies are marked secure where the product is reached over TLS. */
export const isSecure = ({ publicUrl }: Pick<SessionDeps, 'publicUrl'>): boolean => publicUrl().startsWith('https:');
