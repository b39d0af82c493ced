import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { OrganizationDeps } from './deps';

export function getAssistantSwitch({ authenticate }: OrganizationDeps): HttpRoute {
  return implementRoute(configRoutes.readAssistantSwitch, {
    authenticate,
    handler: ({ principal: { organization } }) => ({ status: 200, body: { enabled: !organization.assistantOff } }),
  });
}
