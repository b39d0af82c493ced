import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { MemberDeps } from './deps';
import { memberView } from './member-view';

export function getMembers({ authenticate, store }: MemberDeps): HttpRoute {
  return implementRoute(configRoutes.listMembers, {
    authenticate,
    handler: async ({ principal, query }) => {
      const { items, total } = await store.members.list(principal.organization.id, query);
      return { status: 200, body: { items: items.map(memberView), total } };
    },
  });
}
