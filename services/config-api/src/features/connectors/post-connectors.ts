import { configRoutes, hasPlugins, planLimits } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { newApiKey } from '../../auth/api-key';
import { type Principal, userOf } from '../../auth/principal';
import type { ConnectorDeps } from './deps';
import { connectorRefusal } from './connector-refusal';
import { limitError } from '../../plan/limit-error';
import { upgradeUrl } from '../../plan/upgrade-url';
import { apiKeyView } from '../../auth/api-key-view';
import { connectorDetailView } from './connector-view';

export function postConnectors(deps: ConnectorDeps): HttpRoute {
  return implementRoute(configRoutes.createConnector, {
    authenticate: deps.authenticate,
    handler: async ({ body, principal, wide }) => {
      const { mode = 'live' } = body;
      if (mode === 'test') assertTestAllowed(deps, principal);
      await deps.creationLimit(principal.organization);
      const key = body.create_api_key ? newApiKey('connector') : null;
      const created = await deps.store.connectors.create({
        organizationId: principal.organization.id,
        name: body.name.trim(),
        mode,
        credentialId: body.credential_id ?? null,
        createdById: userOf(principal),
        apiKey: key && { label: (body.api_key_label ?? 'default').trim(), hash: key.hash, createdById: userOf(principal) },
        connectorsLimit: planLimits(principal.organization).connectors_limit,
      });
      if (!created.ok) throw connectorRefusal(created, principal.organization, upgradeUrl(deps));
      wide.add({ connector_id: created.connector.id });
      const view = connectorDetailView(created.connector, []);
      return {
        status: 201,
        body: key && created.apiKey ? { ...view, api_key: { ...apiKeyView(created.apiKey), raw_key: key.rawKey } } : view,
      };
    },
  });
}

function assertTestAllowed(deps: ConnectorDeps, principal: Principal): void {
  if (principal.kind === 'key') throw apiError('api_key_cannot_create_test_connector');
  if (!hasPlugins(principal.organization.tier))
    throw limitError('plugin_system_not_allowed', principal.organization, upgradeUrl(deps));
}
