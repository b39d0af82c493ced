import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute, sha256Hex } from '@sluice/service-kit';
import { isSecure } from './open-session';
import { clearSessionCookies, refreshCookieOf } from './session-cookies';
import { sessionOfRequest } from './session-of-request';
import type { AccountDeps } from './deps';

/** Ends the session of the session token, of the refresh cookie, or both. An expired session token counts as none. */
export function postAuthLogout(deps: AccountDeps): HttpRoute {
  return implementRoute(configRoutes.logout, {
    handler: async ({ request, response }) => {
      const [session, cookie] = [sessionOfRequest(deps.tokens, request), refreshCookieOf(request)];
      // Browsers send cookies by themselves, but not tokens: only a caller without a token needs the CSRF token.
      if (cookie && !cookie.isProven && session === null) throw apiError('CSRF validation failed');
      if (session !== null) await deps.store.accounts.endSessionById(session.sessionId);
      if (cookie?.isProven) await deps.store.accounts.endSession(sha256Hex(cookie.token));
      clearSessionCookies(response, isSecure(deps));
      return { status: 204 };
    },
  });
}
