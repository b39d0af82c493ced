import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute, sha256Hex } from '@sluice/service-kit';
import { isSecure, newRefreshToken, tokenAnswer } from '../auth/open-session';
import { clearSessionCookies, refreshTokenOf, setSessionCookies } from '../auth/session-cookies';
import type { Deps } from '../deps';

export function postAuthRefresh(deps: Deps): HttpRoute {
  return implementRoute(configRoutes.refreshSession, {
    handler: async ({ request, response, logger }) => {
      const token = refreshTokenOf(request);
      if (token === null) throw apiError('No refresh token');
      const next = newRefreshToken();
      const exchange = await deps.store.accounts.rotate({ tokenHash: sha256Hex(token), nextHash: next.hash, nextExpiresAt: next.expiresAt });
      if (exchange.outcome === 'rotated') {
        setSessionCookies(response, next.token, isSecure(deps));
        return { status: 200, body: tokenAnswer(deps, exchange) };
      }
      clearSessionCookies(response, isSecure(deps));
      if (exchange.outcome === 'invalid') throw apiError('Invalid refresh token');
      logger.warn('a used refresh token came back: all sessions of its user are ended');
      throw apiError('Token reuse detected');
    },
  });
}
