import { configRoutes } from '@sluice/contracts';
import type { AuditEntry } from '@sluice/ports';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { isSecure, setCookies, tokenAnswer } from './open-session';
import { clearSessionCookies, sessionCookiesOf } from './tokens/session-cookies';
import type { AccountDeps } from './deps';

export function postAuthRefresh(deps: AccountDeps): HttpRoute {
  return implementRoute(configRoutes.refreshSession, {
    handler: async ({ address, request, requestId, response, logger }) => {
      const cookies = sessionCookiesOf(request);
      if (cookies === null) throw apiError('No refresh token');
      const { csrfToken, refreshToken } = cookies;
      if (csrfToken === null) throw apiError('CSRF validation failed');
      const { exchange, next } = await deps.refreshTokens.exchange({ csrfToken, refreshToken });
      if (exchange.outcome === 'unproven') throw apiError('CSRF validation failed');
      if (exchange.outcome === 'rotated') {
        setCookies(deps, response, next.token, exchange.sessionId);
        return { status: 200, body: tokenAnswer(deps, exchange) };
      }
      clearSessionCookies(response, isSecure(deps));
      if (exchange.outcome === 'deactivated') throw apiError('account_deactivated');
      if (exchange.outcome === 'invalid') throw apiError('Invalid refresh token');
      logger.warn('a used refresh token came back: all sessions of its user are ended', {
        organization_id: exchange.organizationId,
        user_id: exchange.userId,
        address,
      });
      const { organizationId } = exchange;
      if (organizationId !== null) await deps.store.audit.add(reuse({ ...exchange, organizationId }, address, requestId));
      throw apiError('Token reuse detected');
    },
  });
}

/** Not requested by the user, but the organization must see it in its audit log. */
function reuse(
  { userId, organizationId }: { userId: string; organizationId: string },
  ip: string,
  requestId: string,
): AuditEntry {
  return {
    organizationId,
    actor: { type: 'user', id: userId, label: null },
    action: 'session.refresh',
    target: { type: 'user', id: userId },
    ip,
    requestId,
    outcome: 'refused',
    reason: 'Token reuse detected',
  };
}
