import { configRoutes } from '@sluice/contracts';
import { BlobStoreUnavailable, type KeptPayload } from '@sluice/ports';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { documentReply } from '../../work/document-reply';
import type { RecordDeps } from './deps';
import { syncEventView } from './sync-event-view';

export function getSyncEvent(deps: RecordDeps): HttpRoute {
  return implementRoute(configRoutes.getSyncEvent, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      return documentReply(deps.configWork, principal.organization.id, () =>
        recordText(deps, connector.id, params.sync_event_id));
    },
  });
}

/** The answer as JSON. A payload has up to 10 MiB: its text is copied, neither parsed nor written again. */
async function recordText(deps: RecordDeps, connectorId: string, id: string): Promise<string> {
  const found = await deps.records.get(connectorId, id);
  if (!found) throw apiError('Not Found');
  const { row, replayable } = found;
  const payload = await payloadText(deps, found.payload);
  const facts = JSON.stringify({ ...syncEventView({ ...row, replayable }), steps: row.steps, payload_kept: payload !== null });
  return `${facts.slice(0, -1)},"payload":${payload ?? 'null'}}`;
}

/** When a large payload cannot be read now, the row is still shown, because it is known that the payload is kept. */
async function payloadText({ blobs }: RecordDeps, payload: KeptPayload): Promise<string | null> {
  if (payload === null) return null;
  if ('text' in payload) return payload.text;
  try {
    return (await blobs.get(payload.ref.key))?.toString('utf8') ?? null;
  } catch (error) {
    if (error instanceof BlobStoreUnavailable) throw apiError('service_unavailable', {}, { 'Retry-After': '5' });
    throw error;
  }
}
