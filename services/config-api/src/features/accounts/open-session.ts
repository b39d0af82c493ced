import type { Response } from 'express';
import type { AccountDeps } from './deps';
import { setSessionCookies } from './session-cookies';

/** What signing in needs of the routes' deps. */
export type SessionDeps = Pick<AccountDeps, 'publicUrl' | 'refreshTokens' | 'store' | 'tokens'>;

/** Signs a user in: opens a session, sets the cookies. Answers the body of the login answer. */
export async function openSession(
  deps: SessionDeps,
  response: Response,
  { userId, organizationId }: { userId: string; organizationId: string | null },
) {
  const refresh = deps.refreshTokens.first();
  const { hash: tokenHash, expiresAt } = refresh;
  const sessionId = await deps.store.accounts.openSession({ userId, organizationId, tokenHash, expiresAt });
  setSessionCookies(response, refresh.token, isSecure(deps));
  return loginAnswer(deps, { sessionId, userId, organizationId });
}

export const loginAnswer = (
  deps: Pick<SessionDeps, 'tokens'>,
  claims: { sessionId: string; userId: string; organizationId: string | null },
) => ({ ...tokenAnswer(deps, claims), user_id: claims.userId });

export function tokenAnswer(
  deps: Pick<SessionDeps, 'tokens'>,
  claims: { sessionId: string; userId: string; organizationId: string | null },
) {
  const { token, expiresInS } = deps.tokens.issue(claims);
  return { access_token: token, token_type: 'bearer', expires_in: expiresInS, active_org_id: claims.organizationId };
}

/** Cookies are marked secure where the product is reached over TLS. */
export const isSecure = ({ publicUrl }: Pick<SessionDeps, 'publicUrl'>): boolean => publicUrl().startsWith('https:');
