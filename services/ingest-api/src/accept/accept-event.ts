import type { BreakerFeed } from '@sluice/connector-feed';
import type { ConnectorChange } from '@sluice/contracts';
import {
  type EventIds, type Intake, intakeError, type IntakeOrigin, type IntakeRefusal, intakeRules,
} from '@sluice/event-intake';
import { SingleFlight, type WallClock } from '@sluice/ports';
import type { HttpError } from '@sluice/service-kit';
import type { FlowIndexes } from '../connectors/flow-indexes';
import type { EventRequest } from '../events/check-event';
import { eventTypesOf, recordsOf } from '../events/event-records';
import { flowHint } from '../events/flow-hint';
import type { AcceptedEvent, IdempotencyCache } from './idempotency-cache';
import type { StoppedFlows } from './stopped-flows';

export interface AcceptDeps {
  intake: Pick<Intake, 'admit' | 'take'>;
  ids: EventIds;
  idempotencyCache: IdempotencyCache;
  flows: Pick<FlowIndexes, 'of'>;
  /** Where a plan is changed. */
  upgradeUrl: string;
  docsUrl: string;
  stoppedFlows: StoppedFlows;
  /** Breakers that are not closed, for hints. */
  breakers: Pick<BreakerFeed, 'of'>;
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

const rule = intakeRules.request;
/** Events of the event API run as soon as they are accepted; only their lane orders them. */
const eventApi: IntakeOrigin = { source: { name: 'event_api', type: 'event_api' }, run: 'first', kind: 'live' };

/** The checks from 423 on: connector state, rate, quota, then the log (docs/reference/events.md, Order of checks). */
export function createAcceptEvent(deps: AcceptDeps): AcceptEvent {
  const { idempotencyCache, intake } = deps;
  const resends = new SingleFlight<AcceptedEvent>();
  return async (connector, request, origin) => {
    const admitting = intake.admit(connector, rule);
    const refusal = admitting instanceof Promise ? await admitting : admitting;
    if (refusal !== null) throw errorOf(deps, refusal, connector);
    const { connector_id: connectorId } = connector;
    const { idempotencyKey: key } = request;
    if (key === null) return takeEvent(deps, connector, request, origin);
    return resends.run(`${connectorId} ${key}`, async () => {
      const known = await idempotencyCache.find(connectorId, key);
      if (known) return known;
      const answer = await takeEvent(deps, connector, request, origin);
      await idempotencyCache.set(connectorId, key, answer);
      return answer;
    });
  };
}

/** Counts and publishes an event that no earlier request is known to have brought. */
async function takeEvent(
  deps: AcceptDeps, connector: ConnectorChange, request: EventRequest, { requestId, trace }: Origin,
): Promise<AcceptedEvent> {
  const { ids, intake, now, stoppedFlows } = deps;
  const { connector_id: connectorId } = connector;
  const { idempotencyKey, timestamp, storeId } = request;
  const acceptedAt = now();
  const { id, aliases } = idempotencyKey === null
    ? { id: ids.create(connectorId, acceptedAt), aliases: [] }
    : ids.derive(connectorId, 'idempotency-key', idempotencyKey, acceptedAt);
  // Started before the publish and awaited after it, so that the hint adds no latency.
  const flows = deps.flows.of(connector);
  const event = { eventId: id, aliases, acceptedAt, requestId, timestamp, storeId, records: recordsOf(request) };
  const checking = stoppedFlows(connector, eventTypesOf(request));
  const stopped = checking && (await checking);
  const notTaken = await intake.take({ connector, rule, origin: eventApi, events: [event], trace, stopped });
  if (notTaken !== null) throw errorOf(deps, notTaken, connector, id);
  return {
    event_id: id,
    entities_count: event.records.length,
    hint: flowHint(request, connector, flows instanceof Promise ? await flows : flows, deps.breakers.of(connectorId)),
  };
}

const errorOf = (
  { docsUrl, upgradeUrl }: AcceptDeps, refusal: IntakeRefusal, connector: ConnectorChange, eventId?: string,
): HttpError => intakeError(refusal, { connector, docsUrl, upgradeUrl, ...(eventId !== undefined && { eventId }) });
