import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { OrganizationDeps } from './deps';

export function deleteOrgApiKey({ authenticate, store }: OrganizationDeps): HttpRoute {
  return implementRoute(configRoutes.revokeOrgApiKey, {
    authenticate,
    handler: async ({ params, principal }) => {
      if (!(await store.organizations.revokeKey(principal.organization.id, params.key_id))) throw apiError('Not Found');
      return { status: 204 };
    },
  });
}
