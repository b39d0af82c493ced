import { type ConnectorChange, eventsInbound } from '@sluice/contracts';
import {
  encodeUnits, type EventIds, type IntakeOrigin, type PlannedUnit, planUnits, publishMessages, type UnitMessage,
} from '@sluice/event-intake';
import { type BlobStore, BlobStoreUnavailable, type EventBus, type WallClock } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';
import type { FlowIndexes } from '../connectors/flow-indexes';
import type { EventRequest } from '../events/check-event';
import { recordsOf } from '../events/event-records';
import { flowHint } from '../events/flow-hint';
import { ingestionStop } from '../limits/ingestion-stop';
import type { Quota, QuotaTake } from '../limits/quota';
import type { RateLimit } from '../limits/rate-limit';
import type { AcceptedEvent, IdempotencyCache } from './idempotency-cache';

export interface AcceptDeps {
  bus: Pick<EventBus, 'publish'>;
  blobs: BlobStore;
  ids: EventIds;
  rateLimit: RateLimit;
  quota: Quota;
  idempotencyCache: IdempotencyCache;
  flows: Pick<FlowIndexes, 'of'>;
  /** Partitions of the inbound topic. */
  partitions(): number;
  now: WallClock;
}

/** Publishes a checked request of an authenticated connector to the log. Rejects with the HttpError to answer. */
export type AcceptEvent = (connector: ConnectorChange, request: EventRequest, origin: Origin) => Promise<AcceptedEvent>;

/** Where a request comes from. */
export interface Origin {
  requestId: string;
  /** Trace context for the message headers. */
  trace: Record<string, string>;
}

/** Events of the event API run as soon as they are accepted; only their lane orders them. */
const eventApi: IntakeOrigin = { source: { name: 'event_api', type: 'event_api' }, run: 'first', kind: 'live' };

/** The checks from 423 on: connector state, rate, quota, then the log (docs/reference/events.md, Order of checks). */
export function createAcceptEvent(deps: AcceptDeps): AcceptEvent {
  const { ids, idempotencyCache, quota, rateLimit } = deps;
  return async (connector, request, { requestId, trace }) => {
    const stop = ingestionStop(connector);
    if (stop) throw stop;
    await rateLimit(connector);
    const { connector_id: connectorId } = connector;
    const { idempotencyKey } = request;
    const known = idempotencyKey === null ? null : await idempotencyCache.find(connectorId, idempotencyKey);
    if (known) return known;
    const entities = request.entities?.length ?? 1;
    const taken = await quota(connector, entities);
    const acceptedAt = deps.now();
    const { id, aliases } = idempotencyKey === null
      ? { id: ids.create(connectorId, acceptedAt), aliases: [] }
      : ids.derive(connectorId, 'idempotency-key', idempotencyKey, acceptedAt);
    // Started before the publish and awaited after it, so that the hint adds no latency.
    const flows = deps.flows.of(connector);
    const { timestamp, storeId } = request;
    const accepted = { eventId: id, aliases, acceptedAt, requestId, timestamp, storeId, records: recordsOf(request) };
    const units = planUnits(accepted, eventApi, connector, deps.partitions());
    await publish(deps, id, await encode(deps, units, trace, taken), taken);
    const answer: AcceptedEvent = {
      event_id: id,
      entities_count: entities,
      hint: flowHint(request, connector, flows instanceof Promise ? await flows : flows),
    };
    if (idempotencyKey !== null) await idempotencyCache.set(connectorId, idempotencyKey, answer);
    return answer;
  };
}

async function publish(
  deps: AcceptDeps, eventId: string, messages: readonly UnitMessage[], taken: QuotaTake | undefined,
): Promise<void> {
  const outcome = await publishMessages(deps.bus, eventsInbound, messages);
  if (outcome === 'accepted') return;
  if (outcome === 'unknown') throw apiError('event_ingestion_outcome_unknown', { event_id: eventId });
  await taken?.refund();
  throw apiError('event_ingestion_unavailable');
}

async function encode(
  deps: AcceptDeps, units: readonly PlannedUnit[], trace: Record<string, string>, taken: QuotaTake | undefined,
): Promise<UnitMessage[]> {
  try {
    return await encodeUnits(eventsInbound, units, deps.blobs, trace);
  } catch (error) {
    await taken?.refund();
    if (error instanceof BlobStoreUnavailable) throw apiError('attachment_store_unavailable');
    throw error;
  }
}
