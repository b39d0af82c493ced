import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { iso } from '../../http/iso';
import type { AccountSecurityDeps } from './deps';

export function getMeSessions({ authenticateAccount, store }: AccountSecurityDeps): HttpRoute {
  return implementRoute(configRoutes.listSessions, {
    authenticate: authenticateAccount,
    handler: async ({ principal, query }) => {
      const { items, total } = await store.accounts.sessions(principal.userId, query);
      return {
        status: 200,
        body: {
          items: items.map(({ id, createdAt, lastUsedAt, ip, userAgent }) => ({
            id, created_at: iso(createdAt), last_used_at: iso(lastUsedAt), ip, user_agent: userAgent,
            current: id === principal.sessionId,
          })),
          total,
        },
      };
    },
  });
}
