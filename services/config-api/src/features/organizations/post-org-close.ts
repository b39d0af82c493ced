import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { assertOwnPassword } from '../accounts/assert-own-password';
import type { OrganizationDeps } from './deps';
import { organizationView } from './organization-view';

export function postOrgClose(deps: OrganizationDeps): HttpRoute {
  return implementRoute(configRoutes.closeOrganization, {
    authenticate: deps.authenticate,
    handler: async ({ address, body, params, principal }) => {
      await assertOwnPassword(deps, principal, { address, password: body.password });
      const closed = await deps.store.organizations.close(params.organization_id, deps.times.closeRecoveryMs);
      if (!closed.ok) throw apiError('organization_closing');
      return { status: 200, body: organizationView(closed.organization, 'owner') };
    },
  });
}
