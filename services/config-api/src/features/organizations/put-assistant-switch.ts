import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { OrganizationDeps } from './deps';

export function putAssistantSwitch({ authenticate, store }: OrganizationDeps): HttpRoute {
  return implementRoute(configRoutes.setAssistantSwitch, {
    authenticate,
    handler: async ({ body: { enabled }, principal }) => {
      const organization = await store.organizations.update(principal.organization.id, { assistantOff: !enabled });
      if (!organization) throw apiError('Not Found');
      return { status: 200, body: { enabled } };
    },
  });
}
