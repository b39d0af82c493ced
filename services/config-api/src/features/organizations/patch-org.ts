import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { OrganizationDeps } from './deps';
import { organizationView } from './organization-view';

export function patchOrg({ authenticate, store }: OrganizationDeps): HttpRoute {
  return implementRoute(configRoutes.changeOrganization, {
    authenticate,
    handler: async ({ body: { name, publish_review: publishReview, ordering }, params }) => {
      const organization = await store.organizations.update(params.organization_id, {
        name: name?.trim(), publishReview, perRecordOrdering: ordering === undefined ? undefined : ordering === 'record',
      });
      if (!organization) throw apiError('Not Found');
      return { status: 200, body: organizationView(organization, 'owner') };
    },
  });
}
