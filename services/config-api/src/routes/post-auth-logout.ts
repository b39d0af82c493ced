import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute, sha256Hex } from '@sluice/service-kit';
import { isSecure } from '../auth/open-session';
import { clearSessionCookies, refreshTokenOf } from '../auth/session-cookies';
import type { Deps } from '../deps';

export function postAuthLogout(deps: Deps): HttpRoute {
  return implementRoute(configRoutes.logout, {
    handler: async ({ request, response }) => {
      const token = refreshTokenOf(request);
      if (token !== null) await deps.store.accounts.endSession(sha256Hex(token));
      clearSessionCookies(response, isSecure(deps));
      return { status: 204 };
    },
  });
}
