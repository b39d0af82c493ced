import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { OrganizationDeps } from './deps';
import { organizationView } from './organization-view';

export function getOrg({ authenticate, store }: OrganizationDeps): HttpRoute {
  return implementRoute(configRoutes.readOrganization, {
    authenticate,
    handler: async ({ params: { organization_id: id }, principal }) => {
      const { organization: active } = principal;
      if (principal.kind === 'key') return { status: 200, body: organizationView(active, null) };
      if (id === active.id) return { status: 200, body: organizationView(active, principal.role) };
      const [organization, role] = await Promise.all([store.organizations.get(id), store.members.roleIn(id, principal.userId)]);
      if (!organization || role === null) throw apiError('Not Found');
      return { status: 200, body: organizationView(organization, role) };
    },
  });
}
