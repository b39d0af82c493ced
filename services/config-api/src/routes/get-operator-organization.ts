import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { Deps } from '../deps';
import { organizationView } from '../views/organization-view';

export function getOperatorOrganization({ authenticateOperator, store }: Deps): HttpRoute {
  return implementRoute(configRoutes.getOrganization, {
    authenticate: authenticateOperator,
    handler: async ({ params }) => {
      const organization = await store.organizations.get(params.organization_id);
      if (!organization) throw apiError('Not Found');
      return { status: 200, body: organizationView(organization) };
    },
  });
}
