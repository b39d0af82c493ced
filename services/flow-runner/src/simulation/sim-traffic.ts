import { connectorLane, encodeEnvelope, eventsInbound, lanePartition, type EventEnvelope } from '@sluice/contracts';
import type { BlobStore, EventBus, IndexRow } from '@sluice/ports';
import type { Prng } from './time/prng';
import type { Scenario } from './worlds/scenario';
import { crowding, simOrganization, type SimConnectors } from './sim-connectors';
import { customerPayload, drawPayload, externalIdOf, numbered, recordLaneOf, type SimPayload } from './worlds/sim-payload';
import { type SimEventType } from './worlds/sim-event-types';
import type { Clock } from './time/virtual-time';

export const simPartitions = 3;

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
  bus: Pick<EventBus, 'publish'>;
  blobs: BlobStore;
  connectors: SimConnectors;
}

/** The traffic of a world: sends events of its connectors, sends some of them again, and replays them. */
export class SimTraffic {
  /** By their numbers, from 1 on. */
  readonly sent: SimEvent[] = [];
  readonly replays: SimEvent[] = [];
  /** How many events were sent a second time. */
  resends = 0;
  private renumbered = 0;

  constructor(private readonly deps: SimTrafficDeps) {}

  /** Sends some events of one connector. */
  async publishEvents(): Promise<void> {
    const { prng, scenario, connectors } = this.deps;
    const connectorId = prng.pick(connectors.sending());
    const envelopes: EventEnvelope[] = [];
    for (let left = 1 + prng.int(scenario.burst); left > 0; left -= 1) {
      const event = await this.nextEvent(connectorId);
      this.sent.push(event);
      envelopes.push(event.envelope);
    }
    const again = this.drawResend(connectorId);
    await this.publish(again ? [...envelopes, again] : envelopes);
  }

  /** Sends this many events of the crowding connector at once, about as many customers as there are. */
  async publishCrowd(events: number): Promise<void> {
    const crowd: SimEvent[] = [];
    for (let index = 0; index < events; index += 1) {
      const payload = customerPayload(this.sent.length + 1, `c${index % this.deps.scenario.customers}`);
      crowd.push(this.eventOf(crowding, 'customer_synced', payload));
      this.sent.push(crowd.at(-1)!);
    }
    await this.publish(crowd.map(({ envelope }) => envelope));
  }

  /** Runs an ended event again, under a new run: a fraction of its number tells what it writes. */
  async replay({ envelope, payload: before }: SimEvent): Promise<void> {
    const { revision } = this.deps.connectors.stateOf(envelope.connector_id);
    const again: EventEnvelope = { ...envelope, revision, kind: 'replay', run: `replay-${this.replays.length + 1}` };
    const payload = this.numberAnew(before);
    this.replays.push({ envelope: again, payload });
    await this.publish([envelope.payload_ref ? await this.large(again, payload) : { ...again, payload }]);
  }

  /** The payload of the next replay of an event. */
  numberAnew(payload: SimPayload): SimPayload {
    this.renumbered += 1;
    return numbered(payload, payload.n + this.renumbered / 1_000);
  }

  /** What was accepted, as the event index has it. */
  entries(): IndexRow[] {
    return this.sent.map(({ envelope }) => indexRowOf(envelope));
  }

  private async publish(envelopes: readonly EventEnvelope[]): Promise<void> {
    await this.deps.bus.publish(
      eventsInbound.name, lanePartition(envelopes[0]!.connector_id, '', 1, simPartitions),
      envelopes.map((envelope) => ({ key: envelope.lane, value: encodeEnvelope(envelope) })),
    );
  }

  /** An accepted event that its sender sends again: the same event id, dropped by the runner when it is already done. */
  private drawResend(connectorId: string): EventEnvelope | undefined {
    const { prng } = this.deps;
    if (!prng.chance(0.1)) return undefined;
    const own = this.sent.filter(({ envelope }) => envelope.connector_id === connectorId);
    const again = own.at(-1 - prng.int(3))?.envelope;
    if (!again) return undefined;
    this.resends += 1;
    // Around midnight the same event is also sent with the id of another day; each is an alias of the other.
    if (!again.aliases || prng.chance(0.5)) return again;
    return { ...again, event_id: again.aliases[0]!, aliases: [again.event_id] };
  }

  private async nextEvent(connectorId: string): Promise<SimEvent> {
    const { prng, scenario } = this.deps;
    const kind = prng.pick(scenario.eventTypes);
    const event = this.eventOf(connectorId, kind, drawPayload(prng, scenario, kind, this.sent.length + 1));
    return prng.chance(0.05) ? { ...event, envelope: await this.large(event.envelope, event.payload) } : event;
  }

  /** An event whose payload lies in the blob store. */
  private async large({ payload: _payload, ...envelope }: EventEnvelope, payload: SimPayload): Promise<EventEnvelope> {
    const key = `payloads/${envelope.event_id}-${envelope.run}`;
    const bytes = Buffer.from(JSON.stringify(payload));
    await this.deps.blobs.put(key, bytes);
    return { ...envelope, payload_ref: { key, bytes: bytes.length } };
  }

  private eventOf(connectorId: string, kind: SimEventType, payload: SimPayload): SimEvent {
    const { prng, clock, connectors } = this.deps;
    const { n } = payload;
    const { revision, ordering, ordering_epoch: epoch } = connectors.stateAtIntake(connectorId);
    const at = new Date(clock.now()).toISOString();
    const eventId = `evt_${n}`;
    const envelope: EventEnvelope = {
      v: 1,
      event_id: eventId,
      entity_index: 0,
      entities_total: 1,
      organization_id: simOrganization,
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
  }
}

const indexRowOf = (envelope: EventEnvelope): IndexRow => ({
  eventId: envelope.event_id, entityIndex: envelope.entity_index, entitiesTotal: envelope.entities_total,
  organizationId: envelope.organization_id, connectorId: envelope.connector_id, sourceName: envelope.source_name,
  sourceType: envelope.source_type, eventType: envelope.event_type, externalId: envelope.external_id, lane: envelope.lane,
  kind: envelope.kind, run: envelope.run, acceptedAt: envelope.accepted_at, aliases: envelope.aliases ?? [],
  payload: envelope.payload_ref ? null : Buffer.from(JSON.stringify(envelope.payload)),
  payloadRef: envelope.payload_ref?.key ?? null, payloadBytes: envelope.payload_ref?.bytes ?? null,
  timestamp: null, storeId: envelope.store_id, orderingEpoch: envelope.ordering_epoch ?? null, importRow: null,
});
