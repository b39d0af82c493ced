import { configRoutes } from '@sluice/contracts';
import { BlobStoreUnavailable, type KeptPayload } from '@sluice/ports';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { RecordDeps } from './deps';
import { syncEventView } from './sync-event-view';

export function getSyncEvent(deps: RecordDeps): HttpRoute {
  return implementRoute(configRoutes.getSyncEvent, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const found = await deps.records.get(connector.id, params.sync_event_id);
      if (!found) throw apiError('Not Found');
      const { row, replayable } = found;
      const payload = await payloadOf(deps, found.payload);
      return {
        status: 200,
        body: {
          ...syncEventView({ ...row, replayable }),
          steps: row.steps,
          payload: payload?.value ?? null,
          payload_kept: payload !== null,
        },
      };
    },
  });
}

/** When a large payload cannot be read now, the row is still shown, because it is known that the payload is kept. */
async function payloadOf({ blobs }: RecordDeps, payload: KeptPayload): Promise<{ value: unknown } | null> {
  if (payload === null) return null;
  if ('payload' in payload) return { value: payload.payload };
  try {
    const bytes = await blobs.get(payload.ref.key);
    return bytes && { value: JSON.parse(bytes.toString('utf8')) as unknown };
  } catch (error) {
    if (error instanceof BlobStoreUnavailable) throw apiError('service_unavailable', {}, { 'Retry-After': '5' });
    throw error;
  }
}
