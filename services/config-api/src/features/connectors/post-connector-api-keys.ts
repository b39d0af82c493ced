import { configRoutes, volumeLimits } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { newApiKey } from '../../auth/api-key';
import { userOf } from '../../auth/principal';
import type { ConnectorDeps } from './deps';
import { findConnector } from '../../http/find-connector';
import { futureDate } from '../../http/future-date';
import { keyRefusal } from '../../auth/key-refusal';
import { upgradeUrl } from '../../plan/upgrade-url';
import { apiKeyView } from '../../http/api-key-view';

export function postConnectorApiKeys(deps: ConnectorDeps): HttpRoute {
  return implementRoute(configRoutes.createConnectorApiKey, {
    authenticate: deps.authenticate,
    handler: async ({ body, params, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const { rawKey, hash } = newApiKey('connector');
      const expiresAt = futureDate(body.expires_at, 'expires_at');
      await deps.creationLimit(principal.organization);
      const key = await deps.store.connectors.createKey(connector.id, {
        label: body.label.trim(), hash, expiresAt, createdById: userOf(principal),
        keysLimit: volumeLimits(principal.organization).api_keys_limit,
      }).catch(keyRefusal(principal.organization, upgradeUrl(deps)));
      if (!key) throw apiError('connector_not_found');
      return { status: 201, body: { ...apiKeyView(key), raw_key: rawKey } };
    },
  });
}
