import { randomUUID } from 'node:crypto';
import { configRoutes } from '@sluice/contracts';
import type { Replay } from '@sluice/event-intake';
import { publishReplays } from '@sluice/event-replays';
import { BlobStoreUnavailable, type ReplayAnswer, type ReplaySource } from '@sluice/ports';
import { apiError, type HttpError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { RecordDeps } from './deps';

export function postReplay(deps: RecordDeps): HttpRoute {
  return implementRoute(configRoutes.replaySyncEvent, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query, requestId, wide }) => {
      const { id: connectorId } = await findConnector(deps, principal, params.connector_id);
      const replay: Replay = { run: `replay-${randomUUID()}`, force: query.force ?? false, requestId };
      wide.add({ connector_id: connectorId, sync_event_id: params.sync_event_id, run: replay.run, force: replay.force });
      const asked = { connectorId, id: params.sync_event_id, lostAfterMs: deps.replayLostAfterMs, ...replay };
      const answer = await deps.records.replay(asked, (source) => publish(deps, connectorId, source, replay));
      if (!answer.ok) throw refusalOf(answer);
      // It may be in the log: it counts as under way.
      if (answer.value === 'unknown') throw apiError('event_ingestion_outcome_unknown');
      return { status: 202, body: { sync_event_id: params.sync_event_id, event_id: answer.eventId, status: 'processing' } };
    },
  });
}

/** @throws HttpError when nothing was published */
async function publish(
  deps: RecordDeps, connectorId: string, source: ReplaySource, replay: Replay,
): Promise<'accepted' | 'unknown'> {
  const connector = await deps.configReader.connector(connectorId);
  if (!connector || connector.deleted) throw apiError('connector_not_found');
  const { gone, refusal } = await publishReplays(deps, connector, [source], replay).catch((error: unknown) => {
    if (error instanceof BlobStoreUnavailable) throw apiError('service_unavailable', {}, { 'Retry-After': '5' });
    throw error;
  });
  if (gone.length > 0) throw apiError('not_replayable', { status: source.row.status, reason: 'payload_expired' });
  if (refusal === null) return 'accepted';
  if (refusal.why === 'unknown') return 'unknown';
  throw apiError('event_ingestion_unavailable');
}

function refusalOf(refusal: Extract<ReplayAnswer<unknown>, { ok: false }>): HttpError {
  switch (refusal.reason) {
    case 'not_found':
      return apiError('Not Found');
    case 'gone':
      return apiError('not_replayable', { status: refusal.status, reason: 'payload_expired' });
    default:
      return apiError(refusal.reason, { status: refusal.status });
  }
}
