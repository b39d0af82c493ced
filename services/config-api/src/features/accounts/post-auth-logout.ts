import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute, sha256Hex } from '@sluice/service-kit';
import type { Request } from 'express';
import { isSecure } from './open-session';
import { clearSessionCookies, refreshCookieOf } from './session-cookies';
import type { AccountDeps } from './deps';

/** Ends the session of the session token, of the refresh cookie, or both. An expired session token counts as none. */
export function postAuthLogout(deps: AccountDeps): HttpRoute {
  return implementRoute(configRoutes.logout, {
    handler: async ({ request, response }) => {
      const [sessionId, cookie] = [sessionIdOf(deps, request), refreshCookieOf(request)];
      // Browsers send cookies by themselves, but not tokens: only a caller without a token needs the CSRF token.
      if (cookie && !cookie.isProven && sessionId === null) throw apiError('CSRF validation failed');
      if (sessionId !== null) await deps.store.accounts.endSessionById(sessionId);
      if (cookie?.isProven) await deps.store.accounts.endSession(sha256Hex(cookie.token));
      clearSessionCookies(response, isSecure(deps));
      return { status: 204 };
    },
  });
}

function sessionIdOf({ tokens }: AccountDeps, request: Request): string | null {
  const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  const read = token === undefined ? null : tokens.read(token);
  return read?.ok ? read.claims.sessionId : null;
}
