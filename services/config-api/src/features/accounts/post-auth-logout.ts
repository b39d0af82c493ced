import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute, sha256Hex } from '@sluice/service-kit';
import { isSecure } from './open-session';
import { clearSessionCookies, type SessionCookies, sessionCookiesOf } from './tokens/session-cookies';
import { sessionOfRequest } from './tokens/session-of-request';
import type { AccountDeps } from './deps';

/** Ends the session of the session token, of the refresh cookie, or both. An expired session token counts as none. */
export function postAuthLogout(deps: AccountDeps): HttpRoute {
  return implementRoute(configRoutes.logout, {
    handler: async ({ request, response }) => {
      const [session, cookies] = [sessionOfRequest(deps.tokens, request), sessionCookiesOf(request)];
      const proven = cookies !== null && (await isProven(deps, cookies));
      // Browsers send cookies by themselves, but not tokens: only a caller without a token needs the CSRF token.
      if (cookies && !proven && session === null) throw apiError('CSRF validation failed');
      if (session !== null) await deps.store.accounts.endSessionById(session.sessionId);
      if (proven) await deps.store.accounts.endSession(sha256Hex(cookies.refreshToken));
      clearSessionCookies(response, isSecure(deps));
      return { status: 204 };
    },
  });
}

/** Whether the CSRF token is that of the refresh token's session. A refresh token that nobody knows needs no proof. */
async function isProven(
  { csrfTokens, store }: Pick<AccountDeps, 'csrfTokens' | 'store'>,
  { csrfToken, refreshToken }: SessionCookies,
): Promise<boolean> {
  if (csrfToken === null) return false;
  const sessionId = await store.accounts.sessionOfToken(sha256Hex(refreshToken));
  return sessionId === null || csrfTokens.matches(sessionId, csrfToken);
}
