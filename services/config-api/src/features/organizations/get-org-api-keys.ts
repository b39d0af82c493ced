import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { OrganizationDeps } from './deps';
import { apiKeyView } from '../../http/api-key-view';

export function getOrgApiKeys({ authenticate, store }: OrganizationDeps): HttpRoute {
  return implementRoute(configRoutes.listOrgApiKeys, {
    authenticate,
    handler: async ({ query, principal }) => {
      const { items, total } = await store.organizations.keys(principal.organization.id, query);
      return { status: 200, body: { items: items.map(apiKeyView), total } };
    },
  });
}
