import { configRoutes, hasPlugins } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import { limitError } from '../../limits/limit-error';
import { upgradeUrl } from '../../plan/upgrade-url';
import { createConnector } from './create-connector';
import type { ConnectorDeps } from './deps';

export function postConnectors(deps: ConnectorDeps): HttpRoute {
  return implementRoute(configRoutes.createConnector, {
    authenticate: deps.authenticate,
    handler: async ({ body, principal, wide }) => {
      const { name, mode = 'live', credential_id: credentialId, create_api_key: withKey, api_key_label: label } = body;
      if (mode === 'test') assertTestAllowed(deps, principal);
      const connector = await createConnector(deps, principal, {
        name, mode, credentialId, keyLabel: withKey ? (label ?? 'default') : null,
      });
      wide.add({ connector_id: connector.id });
      return { status: 201, body: connector };
    },
  });
}

function assertTestAllowed(deps: ConnectorDeps, principal: Principal): void {
  if (principal.kind === 'key') throw apiError('api_key_cannot_create_test_connector');
  if (!hasPlugins(principal.organization.tier))
    throw limitError('plugin_system_not_allowed', principal.organization, upgradeUrl(deps));
}
