import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { OrganizationDeps } from './deps';
import { organizationView } from './organization-view';

export function postOrgReopen({ authenticate, store }: OrganizationDeps): HttpRoute {
  return implementRoute(configRoutes.reopenOrganization, {
    authenticate,
    handler: async ({ params }) => {
      const reopened = await store.organizations.reopen(params.organization_id);
      if (!reopened.ok) throw apiError(reopened.reason === 'over' ? 'organization_closed' : 'organization_not_closing');
      return { status: 200, body: organizationView(reopened.organization, 'owner') };
    },
  });
}
