import type { Response } from 'express';
import type { AccountDeps } from './deps';
import { setSessionCookies } from './session-cookies';

/** Signs a user in: opens a session, sets the cookies. Answers the body of the login answer. */
export async function openSession(
  deps: AccountDeps,
  response: Response,
  { userId, organizationId }: { userId: string; organizationId: string },
) {
  const refresh = deps.refreshTokens.first();
  const sessionId = await deps.store.accounts.openSession({
    userId,
    organizationId,
    tokenHash: refresh.hash,
    expiresAt: refresh.expiresAt,
  });
  setSessionCookies(response, refresh.token, isSecure(deps));
  return { ...tokenAnswer(deps, { sessionId, userId, organizationId }), user_id: userId };
}

export function tokenAnswer(deps: AccountDeps, claims: { sessionId: string; userId: string; organizationId: string }) {
  const { token, expiresInS } = deps.tokens.issue(claims);
  return { access_token: token, token_type: 'bearer', expires_in: expiresInS, active_org_id: claims.organizationId };
}

/** Cookies are marked secure where the product is reached over TLS. */
export const isSecure = (deps: AccountDeps): boolean => deps.publicUrl().startsWith('https:');
