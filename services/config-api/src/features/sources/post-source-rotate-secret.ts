import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { iso } from '../../http/iso';
import type { SourceDeps } from './deps';
import { newWebhookSecret } from './webhook-secret';

export function postSourceRotateSecret(deps: SourceDeps): HttpRoute {
  return implementRoute(configRoutes.rotateSourceSecret, {
    authenticate: deps.authenticate,
    handler: async ({ params: { connector_id: connectorId, name }, principal, wide }) => {
      const { id } = await findConnector(deps, principal, connectorId);
      wide.add({ connector_id: id, source: name });
      const { secret, sealed } = newWebhookSecret(deps.keyring, id, name);
      const rotated = await deps.store.sources.rotate(id, name, sealed);
      if (!rotated.ok) throw apiError(rotated.reason === 'no_webhook' ? 'no_webhook_source' : 'Not Found');
      return { status: 200, body: { name, secret, rotated_at: iso(rotated.source.rotatedAt!) } };
    },
  });
}
