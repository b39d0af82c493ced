import { randomUUID } from 'node:crypto';
import { configRoutes, encodeEnvelope } from '@sluice/contracts';
import type { ReplayAnswer, ReplaySource } from '@sluice/ports';
import { apiError, type HttpError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { RecordDeps } from './deps';
import { partitionOf, type Replay, replayUnit } from './replay-unit';

export function postReplay(deps: RecordDeps): HttpRoute {
  /** Read once, so that a record stays in its partition. */
  const counts = new Map<string, number>();
  const partitions = async (topic: string): Promise<number> => {
    const count = counts.get(topic) ?? (await deps.bus.partitions(topic));
    counts.set(topic, count);
    return count;
  };
  return implementRoute(configRoutes.replaySyncEvent, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query, requestId, wide }) => {
      const { id: connectorId } = await findConnector(deps, principal, params.connector_id);
      const replay: Replay = { run: `replay-${randomUUID()}`, askedAt: new Date(), force: query.force ?? false, requestId };
      wide.add({ connector_id: connectorId, sync_event_id: params.sync_event_id, run: replay.run, force: replay.force });
      const asked = { connectorId, id: params.sync_event_id, lostAfterMs: deps.replayLostAfterMs, ...replay };
      const answer = await deps.records.replay(asked, (source) => publish({ ...deps, partitions }, connectorId, source, replay));
      if (!answer.ok) throw refusalOf(answer);
      // It may be in the log: it counts as under way.
      if (answer.value === 'unknown') throw apiError('event_ingestion_outcome_unknown');
      return { status: 202, body: { sync_event_id: params.sync_event_id, event_id: answer.eventId, status: 'processing' } };
    },
  });
}

/** @throws when nothing was published */
async function publish(
  { bus, configReader, partitions }: Pick<RecordDeps, 'bus' | 'configReader'> & { partitions(topic: string): Promise<number> },
  connectorId: string, source: ReplaySource, replay: Replay,
): Promise<'accepted' | 'unknown'> {
  const connector = await configReader.connector(connectorId);
  if (!connector || connector.deleted) throw apiError('connector_not_found');
  const { topic, envelope } = replayUnit(source, connector, replay);
  const partition = partitionOf(envelope, connector, await partitions(topic.name));
  const published = await bus.publish(topic.name, partition, [{ key: topic.key(envelope), value: encodeEnvelope(envelope) }]);
  if (published.ok) return 'accepted';
  if (published.outcome === 'refused') throw apiError('event_ingestion_unavailable');
  return 'unknown';
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
