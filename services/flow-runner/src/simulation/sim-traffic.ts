import {
  connectorChanges, connectorLane, encodeEnvelope, eventsInbound, lanePartition, type ConnectorChange, type EventEnvelope,
} from '@sluice/contracts';
import type { BlobStore, EventBus } from '@sluice/ports';
import type { MemoryConfigReader } from '@sluice/ports/testing';
import type { Prng } from './prng';
import type { Scenario } from './scenario';
import type { SimNotes } from './sim-notes';
import { customerPayload, drawPayload, externalIdOf, numbered, recordLaneOf, type SimEventType,
  type SimPayload } from './sim-payload';
import type { Clock } from './virtual-time';

export const simPartitions = 3;
export const simPortals = ['1000001', '1000002'] as const;

/** The connectors there are: the last one has a portal of its own at first. */
export const simConnectors = ['1', '2', '3'].map((digit) => '11111111-1111-4111-8111-111111111111'.replaceAll('1', digit));

/** The connector that crowds its partition, and one beside it that has another portal. */
export const [crowding, beside] = [simConnectors[1]!, simConnectors[2]!];

/** How long after a change of the ordering an ingest-api may not know it. */
const unheardOrderingMs = 2_000;

const organizationId = '99999999-9999-4999-8999-999999999999';
const bindingTo = (portalId: string, epoch: number): ConnectorChange['binding'] =>
  ({ credential_id: `cred-${portalId}`, portal_id: portalId, epoch });

/** One of the simulated connectors before its first change. */
const connectorOf = (id: string, ordering: ConnectorChange['ordering']): ConnectorChange => ({
  v: 1, connector_id: id, organization_id: organizationId, revision: 0, deleted: false, name: id, status: 'active',
  default_store_id: null,
  organization: { tier: 'enterprise', state: 'active', per_record_ordering: false, limits: {} },
  ordering, width: 1, keys: [],
  active_version: 1, flows: [], binding: bindingTo(simPortals[simConnectors.indexOf(id) < 2 ? 0 : 1], 1),
});

/** One accepted event or replay, as it was sent. `payload.n`: its number, from 1 on; of a replay its event's, with a fraction. */
export interface SimEvent {
  envelope: EventEnvelope;
  payload: SimPayload;
}

/** The id that an event would have got on the next day. */
const otherIdOf = (eventId: string): string => `${eventId}-next`;
/** The event of an envelope, under the id that came first. */
export const firstOf = (envelope: EventEnvelope): EventEnvelope =>
  ({ ...envelope, event_id: envelope.event_id.replace(/-next$/, '') });

export interface SimTrafficDeps {
  prng: Prng;
  clock: Clock;
  scenario: Scenario;
  bus: EventBus;
  reader: MemoryConfigReader;
  blobs: BlobStore;
  notes: SimNotes;
  /** Sets the binding in force of a connector. */
  bind(connectorId: string, epoch: number): void;
}

/** The traffic: sends events, sends them again, replays them, and changes connectors. */
export interface SimTraffic {
  /** By their numbers, from 1 on. */
  sent: SimEvent[];
  replays: SimEvent[];
  /** How many events were sent a second time. */
  resends(): number;
  /** Every change of a connector, in order. */
  changes: { at: number; change: ConnectorChange }[];
  /** Those that send and were not deleted. */
  connectors(): string[];
  stateOf(connectorId: string): ConnectorChange;
  change(connectorId: string, change: Partial<ConnectorChange>): Promise<void>;
  /** Changes the ordering of a connector: its events get other lanes. */
  reorder(connectorId: string): Promise<void>;
  /** Binds a connector to the other portal. */
  rebind(connectorId: string): Promise<void>;
  /** Sets the present bindings again. */
  bindAll(): void;
  publishEvents(): Promise<void>;
  /** Sends this many events of the crowding connector at once, about as many customers as there are. */
  publishCrowd(events: number): Promise<void>;
  /** Runs an ended event again, under a new run: a fraction of its number tells what it writes. */
  replay(event: SimEvent): Promise<void>;
}

export function createSimTraffic(deps: SimTrafficDeps): SimTraffic {
  const { prng, clock, scenario, bus: outside, reader, blobs, notes, bind } = deps;
  const [sent, replays]: [SimEvent[], SimEvent[]] = [[], []];
  const changes: SimTraffic['changes'] = [];
  let resends = 0;
  const states = new Map(simConnectors.map((id) => [id, connectorOf(id, scenario.ordering)]));
  const stateOf = (id: string): ConnectorChange => states.get(id)!;
  const senders = scenario.crowd ? [beside] : prng.chance(0.5) ? simConnectors : [...simConnectors].reverse();
  const connectors = (): string[] => senders.slice(0, scenario.connectors).filter((id) => !stateOf(id).deleted);
  const change = async (id: string, changed: Partial<ConnectorChange>): Promise<void> => {
    const next = { ...stateOf(id), ...changed, revision: stateOf(id).revision + 1 };
    states.set(id, next);
    changes.push({ at: clock.now(), change: next });
    reader.putConnector(next);
    await outside.publish(connectorChanges.name, 0, [{ key: id, value: Buffer.from(JSON.stringify(next)) }]);
  };
  /** The state of connectors for an ingest-api that does not know a change of the ordering yet. */
  const formerly = new Map<string, { state: ConnectorChange; until: number }>();
  const reorder = (id: string): Promise<void> => {
    const state = stateOf(id);
    formerly.set(id, { state, until: clock.now() + unheardOrderingMs });
    const ordering = state.ordering === 'record' ? 'connector' : 'record';
    return change(id, { ordering, ordering_epoch: (state.ordering_epoch ?? 0) + 1 });
  };
  const acceptorsState = (id: string): ConnectorChange => {
    const former = formerly.get(id);
    return former && clock.now() < former.until && prng.chance(0.3) ? former.state : stateOf(id);
  };
  const rebind = (id: string): Promise<void> => {
    const { portal_id: before, epoch } = stateOf(id).binding!;
    bind(id, epoch + 1);
    for (const save of notes.saves) if (save.connectorId === id) save.until ??= clock.now();
    return change(id, { binding: bindingTo(simPortals.find((portal) => portal !== before)!, epoch + 1) });
  };
  const bindAll = (): void => { for (const [id, { binding }] of states) bind(id, binding!.epoch); };
  const publish = (envelopes: readonly EventEnvelope[]): Promise<unknown> => outside.publish(
    eventsInbound.name, lanePartition(envelopes[0]!.connector_id, '', 1, simPartitions),
    envelopes.map((envelope) => ({ key: envelope.lane, value: encodeEnvelope(envelope) })),
  );
  const replay: SimTraffic['replay'] = async ({ envelope, payload: before }) => {
    const { revision } = stateOf(envelope.connector_id);
    const again: EventEnvelope = { ...envelope, revision, kind: 'replay', run: `replay-${replays.length + 1}` };
    const payload = numbered(before, before.n + (replays.length + 1) / 100);
    replays.push({ envelope: again, payload });
    await publish([envelope.payload_ref ? await large(again, payload) : { ...again, payload }]);
  };
  /** An event whose payload lies in the blob store. */
  const large = async ({ payload: _payload, ...envelope }: EventEnvelope, payload: SimPayload): Promise<EventEnvelope> => {
    const key = `payloads/${envelope.event_id}-${envelope.run}`;
    const bytes = Buffer.from(JSON.stringify(payload));
    await blobs.put(key, bytes);
    return { ...envelope, payload_ref: { key, bytes: bytes.length } };
  };
  const publishEvents = async (): Promise<void> => {
    const connectorId = prng.pick(connectors());
    const events: EventEnvelope[] = [];
    for (let left = 1 + prng.int(scenario.burst); left > 0; left -= 1) {
      const event = await nextEvent(connectorId);
      sent.push(event);
      events.push(event.envelope);
    }
    // A resend of an accepted event: the same event id, dropped by the runner when it is already done.
    const isOwn = ({ envelope }: SimEvent): boolean => envelope.connector_id === connectorId;
    const again = prng.chance(0.1) ? sent.filter(isOwn).at(-1 - prng.int(3))?.envelope : undefined;
    if (again) resends += 1;
    await publish([...events, ...(again ? [sentAgain(again)] : [])]);
  };
  const publishCrowd = async (events: number): Promise<void> => {
    const crowd: SimEvent[] = [];
    for (let index = 0; index < events; index += 1) {
      const payload = customerPayload(sent.length + 1, `c${index % scenario.customers}`);
      crowd.push(eventOf(crowding, 'customer_synced', payload));
      sent.push(crowd.at(-1)!);
    }
    await publish(crowd.map(({ envelope }) => envelope));
  };
  /** Around midnight the same event is also sent with the id of another day; each is an alias of the other. */
  const sentAgain = (envelope: EventEnvelope): EventEnvelope => {
    if (!envelope.aliases || prng.chance(0.5)) return envelope;
    return { ...envelope, event_id: envelope.aliases[0]!, aliases: [envelope.event_id] };
  };
  const nextEvent = async (connectorId: string): Promise<SimEvent> => {
    const kind = prng.pick(scenario.eventTypes);
    const event = eventOf(connectorId, kind, drawPayload(prng, scenario, kind, sent.length + 1));
    return prng.chance(0.05) ? { ...event, envelope: await large(event.envelope, event.payload) } : event;
  };
  const eventOf = (connectorId: string, kind: SimEventType, payload: SimPayload): SimEvent => {
    const { n } = payload;
    const { revision, ordering, ordering_epoch: epoch } = acceptorsState(connectorId);
    const at = new Date(clock.now()).toISOString();
    const eventId = `evt_${n}`;
    const envelope: EventEnvelope = {
      v: 1,
      event_id: eventId,
      entity_index: 0,
      entities_total: 1,
      organization_id: organizationId,
      connector_id: connectorId,
      revision,
      source_name: 'event_api',
      source_type: 'event_api',
      event_type: kind,
      external_id: externalIdOf(kind, payload),
      timestamp: at,
      store_id: null,
      accepted_at: at,
      lane: ordering === 'connector' ? connectorLane(connectorId) : recordLaneOf(connectorId, kind, payload),
      run: 'first',
      kind: 'live',
      payload,
      request_id: `req-${n}`,
      ...(epoch ? { ordering_epoch: epoch } : {}),
      ...(prng.chance(0.3) ? { aliases: [otherIdOf(eventId)] } : {}),
    };
    return { envelope, payload };
  };

  return {
    sent, replays, resends: () => resends, changes, connectors, stateOf, change, reorder, rebind, bindAll, publishEvents,
    publishCrowd, replay,
  };
}
