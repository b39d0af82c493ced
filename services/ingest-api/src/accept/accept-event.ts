import type { ConnectorChange } from '@sluice/contracts';
import { type BlobStore, BlobStoreUnavailable, type BusMessage, type EventBus } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';
import type { FlowIndexes } from '../connectors/flow-indexes';
import type { EventRequest } from '../events/check-event';
import type { EventIds } from '../events/event-id';
import { flowHint } from '../events/flow-hint';
import { planEvent, type PlannedUnit } from '../events/plan-event';
import { ingestionStop } from '../limits/ingestion-stop';
import type { Quota, QuotaTake } from '../limits/quota';
import type { RateLimit } from '../limits/rate-limit';
import { encodeUnits, publishMessages } from './publish-units';
import type { AcceptedEvent, IdempotencyCache } from './idempotency-cache';

export interface AcceptDeps {
  bus: Pick<EventBus, 'publish'>;
  blobs: BlobStore;
  ids: EventIds;
  rateLimit: RateLimit;
  quota: Quota;
  marks: IdempotencyCache;
  flows: Pick<FlowIndexes, 'of'>;
  /** Partitions of the inbound topic. */
  partitions(): number;
  now(): number;
}

/** Takes a checked request of an authenticated connector to the log. Rejects with the HttpError to answer. */
export type AcceptEvent = (connector: ConnectorChange, request: EventRequest, origin: Origin) => Promise<AcceptedEvent>;

/** Where a request comes from. */
export interface Origin {
  requestId: string;
  /** Trace context for the message headers. */
  trace: Record<string, string>;
}

/** The checks from the 423 on: state, rate, quota, then the log (docs/reference/events.md, Order of checks). */
export function createAcceptEvent(deps: AcceptDeps): AcceptEvent {
  const { ids, marks, quota, rateLimit } = deps;
  return async (connector, request, { requestId, trace }) => {
    const stop = ingestionStop(connector);
    if (stop) throw stop;
    await rateLimit(connector);
    const { connector_id: connectorId } = connector;
    const { idempotencyKey } = request;
    const known = idempotencyKey === null ? null : await marks.find(connectorId, idempotencyKey);
    if (known) return known;
    const entities = request.entities?.length ?? 1;
    const taken = await quota(connector, entities);
    const acceptedAt = deps.now();
    const { id, aliases } = idempotencyKey === null
      ? { id: ids.create(connectorId, acceptedAt), aliases: [] }
      : ids.derive(connectorId, 'idempotency-key', idempotencyKey, acceptedAt);
    // Read while the log takes the event: a hint costs no time of its own.
    const flows = deps.flows.of(connector);
    const units = planEvent(request, connector, { eventId: id, aliases, acceptedAt, requestId }, deps.partitions());
    await publish(deps, id, await encode(deps, units, trace, taken), taken);
    const answer: AcceptedEvent = { event_id: id, entities_count: entities, hint: flowHint(request, connector, flows instanceof Promise ? await flows : flows) };
    if (idempotencyKey !== null) await marks.set(connectorId, idempotencyKey, answer);
    return answer;
  };
}

type Message = BusMessage & { partition: number };

async function publish(deps: AcceptDeps, eventId: string, messages: readonly Message[], taken: QuotaTake | undefined): Promise<void> {
  const outcome = await publishMessages(deps.bus, messages);
  if (outcome === 'accepted') return;
  if (outcome === 'unknown') throw apiError('event_ingestion_outcome_unknown', { event_id: eventId });
  await taken?.refund();
  throw apiError('event_ingestion_unavailable');
}

async function encode(deps: AcceptDeps, units: readonly PlannedUnit[], trace: Record<string, string>, taken: QuotaTake | undefined): Promise<Message[]> {
  try {
    return await encodeUnits(units, deps.blobs, trace);
  } catch (error) {
    await taken?.refund();
    if (error instanceof BlobStoreUnavailable) throw apiError('attachment_store_unavailable');
    throw error;
  }
}
