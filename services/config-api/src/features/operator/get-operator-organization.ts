import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { OperatorDeps } from './deps';
import { organizationView } from './organization-view';

export function getOperatorOrganization({ authenticateOperator, store }: OperatorDeps): HttpRoute {
  return implementRoute(configRoutes.getOrganization, {
    authenticate: authenticateOperator,
    handler: async ({ params }) => {
      const organization = await store.organizations.get(params.organization_id);
      if (!organization) throw apiError('Not Found');
      return { status: 200, body: organizationView(organization) };
    },
  });
}
