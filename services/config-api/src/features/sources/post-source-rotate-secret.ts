import { setTimeout as sleep } from 'node:timers/promises';
import { configRoutes } from '@sluice/contracts';
import { changesKeptMs } from '@sluice/ports';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { iso } from '../../http/iso';
import type { SourceDeps } from './deps';
import { webhookSecret } from './webhook-secret';
import { webhookUrl } from './webhook-url';

export function postSourceRotateSecret(deps: SourceDeps): HttpRoute {
  return implementRoute(configRoutes.rotateSourceSecret, {
    authenticate: deps.authenticate,
    handler: async ({ body, params: { connector_id: connectorId, name }, principal, wide }) => {
      const { activeVersion, id } = await findConnector(deps, principal, connectorId);
      wide.add({ connector_id: id, source: name });
      const { secret, sealed } = webhookSecret(deps.webhookKeyring, id, name, body.secret);
      const rotated = await deps.store.sources.rotate(id, name, sealed);
      if (!rotated.ok) throw apiError(rotated.reason === 'no_webhook' ? 'no_webhook_source' : 'Not Found');
      // By the answer no process takes a signature with the old secret any more, also while it is busy with other changes.
      await sleep(changesKeptMs);
      const version = activeVersion === null ? null : await deps.configReader.versionSources(id, activeVersion);
      const source = version?.sources.find((one) => one.name === name) ?? { name, type: 'webhook' as const };
      const url = webhookUrl(deps, id, source, secret);
      return { status: 200, body: { name, secret, url, rotated_at: iso(rotated.source.rotatedAt!) } };
    },
  });
}
