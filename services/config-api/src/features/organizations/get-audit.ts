import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { OrganizationDeps } from './deps';
import { iso } from '../../http/iso';

export function getAudit({ authenticate, store }: OrganizationDeps): HttpRoute {
  return implementRoute(configRoutes.listAudit, {
    authenticate,
    handler: async ({ principal, query }) => {
      const { since, until, ...rest } = query;
      const { items, nextCursor } = await store.audit.list(principal.organization.id, {
        ...rest,
        ...(since && { since: new Date(since) }),
        ...(until && { until: new Date(until) }),
      });
      return {
        status: 200,
        body: {
          items: items.map(({ at, actor, action, target, ip, requestId, outcome, reason }) => ({
            at: iso(at),
            actor,
            action,
            target,
            ip,
            request_id: requestId,
            outcome,
            reason,
          })),
          next_cursor: nextCursor,
        },
      };
    },
  });
}
