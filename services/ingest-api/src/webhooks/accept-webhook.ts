import type { ConnectorChange } from '@sluice/contracts';
import {
  type EventIds, type Intake, intakeError, type IntakeEvent, type IntakeOrigin, type IntakeRefusal, intakeRules,
} from '@sluice/event-intake';
import { SingleFlight, type WallClock } from '@sluice/ports';
import type { SourceEvent } from '@sluice/sources';
import type { KnownEvents } from './known-events';

export interface AcceptWebhookDeps {
  intake: Pick<Intake, 'admit' | 'take'>;
  ids: EventIds;
  knownEvents: KnownEvents;
  /** Where a plan is changed. */
  upgradeUrl: string;
  /** Where flow breakers are explained. */
  docsUrl: string;
  now: WallClock;
}

/** A verified call that was read. */
export interface ReadWebhook {
  connector: ConnectorChange;
  sourceName: string;
  events: readonly SourceEvent[];
  requestId: string;
  trace: Record<string, string>;
}

/**
 * Publishes the events of a call, all of them or none. Resolves to their ids in the order of the call; an event that was
 * accepted before, or that the call has twice, keeps its first id. Rejects with the HttpError to answer.
 */
export type AcceptWebhook = (call: ReadWebhook) => Promise<string[]>;

const rule = intakeRules.delivery;

export function createAcceptWebhook(deps: AcceptWebhookDeps): AcceptWebhook {
  const repeats = new SingleFlight<string[]>();
  return async (call) => {
    const { connector, events } = call;
    const admitting = deps.intake.admit(connector, rule);
    assertTaken(deps, call, admitting instanceof Promise ? await admitting : admitting);
    const values = events.map(({ dedupe }) => dedupe);
    // A call with an event that has no name is never the repeat of another one.
    if (values.length === 0 || values.includes(null)) return takeCall(deps, call);
    return repeats.run(JSON.stringify([sourceOf(call), ...values]), () => takeCall(deps, call));
  };
}

const sourceOf = ({ connector, sourceName }: ReadWebhook): string => `${connector.connector_id}/${sourceName}`;

function assertTaken(
  { docsUrl, upgradeUrl }: AcceptWebhookDeps, { connector }: ReadWebhook, refusal: IntakeRefusal | null,
): void {
  if (refusal !== null) throw intakeError(refusal, { connector, docsUrl, upgradeUrl });
}

/** Counts and publishes the events of a call that no earlier one is known to have brought. */
async function takeCall(deps: AcceptWebhookDeps, call: ReadWebhook): Promise<string[]> {
  const { intake, knownEvents } = deps;
  const { connector, events, sourceName, trace } = call;
  const source = sourceOf(call);
  const isNamed = events.some(({ dedupe }) => dedupe !== null);
  const { eventIds, fresh } = identified(deps, call, isNamed ? await knownOf(knownEvents, source, events) : new Map());
  if (fresh.length === 0) return eventIds;
  const origin: IntakeOrigin = { source: { name: sourceName, type: 'webhook' }, run: 'first', kind: 'live' };
  const refusal = await intake.take({ connector, rule, origin, trace, events: fresh.map(({ event }) => event) });
  assertTaken(deps, call, refusal);
  if (!isNamed) return eventIds;
  const named = fresh.flatMap(({ dedupe, event: { eventId } }) => (dedupe === null ? [] : [{ dedupe, eventId }]));
  if (named.length > 0) await knownEvents.set(source, named);
  return eventIds;
}

/** The ids of events that were accepted before, by their dedupe value. */
async function knownOf(knownEvents: KnownEvents, source: string, events: readonly SourceEvent[]): Promise<Map<string, string>> {
  const values = [...new Set(events.flatMap(({ dedupe }) => dedupe ?? []))];
  const found = await knownEvents.find(source, values);
  return new Map(values.flatMap((value, at) => (found[at] ? [[value, found[at]]] : [])));
}

interface Fresh {
  dedupe: string | null;
  event: IntakeEvent;
}

/** @param known ids of events that were accepted before, by their dedupe value; gets those of this call too */
function identified(
  { ids, now }: AcceptWebhookDeps, { connector, events, requestId, sourceName }: ReadWebhook, known: Map<string, string>,
): { eventIds: string[]; fresh: Fresh[] } {
  const connectorId = connector.connector_id;
  const acceptedAt = now();
  const fresh: Fresh[] = [];
  const eventIds = events.map((event) => {
    const before = event.dedupe === null ? undefined : known.get(event.dedupe);
    if (before !== undefined) return before;
    const { id, aliases } = event.dedupe === null
      ? { id: ids.create(connectorId, acceptedAt), aliases: [] }
      : ids.derive(connectorId, `source:${sourceName}`, event.dedupe, acceptedAt);
    if (event.dedupe !== null) known.set(event.dedupe, id);
    const { eventType, externalId, payload, recordKey, timestamp } = event;
    const records = [{ eventType, externalId, entityType: null, recordKey, payload }];
    fresh.push(
      { dedupe: event.dedupe, event: { eventId: id, aliases, acceptedAt, requestId, timestamp, storeId: null, records } },
    );
    return id;
  });
  return { eventIds, fresh };
}
