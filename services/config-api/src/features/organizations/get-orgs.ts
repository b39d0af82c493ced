import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { OrganizationDeps } from './deps';
import { listedOrganization } from './organization-view';

export function getOrgs({ authenticateCaller, store }: OrganizationDeps): HttpRoute {
  return implementRoute(configRoutes.listOrganizations, {
    authenticate: authenticateCaller,
    handler: async ({ principal, query }) => {
      if (principal.kind === 'key') {
        const own = [listedOrganization(principal.organization, null)].slice(query.offset, query.offset + query.limit);
        return { status: 200, body: { items: own, total: 1 } };
      }
      const { items, total } = await store.members.organizationsOf(principal.userId, query);
      const mine = items.map(({ organizationId, role, ...rest }) => listedOrganization({ id: organizationId, ...rest }, role));
      return { status: 200, body: { items: mine, total } };
    },
  });
}
