import { connectorChanges, connectorLane, encodeEnvelope, entityLane, eventsInbound, lanePartition, type ConnectorChange, type EventEnvelope } from '@sluice/contracts';
import type { BlobStore, EventBus } from '@sluice/ports';
import type { MemoryConfigReader } from '@sluice/ports/testing';
import type { Prng } from './prng';
import type { Clock } from './virtual-time';

export const simPartitions = 3;
export const simPortal = '1000001';

/** Three connectors that share one portal. */
export const connectors = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222', '33333333-3333-4333-8333-333333333333'];

/** One of the simulated connectors before its first change. */
const connectorOf = (id: string): ConnectorChange => ({
  v: 1, connector_id: id, organization_id: '99999999-9999-4999-8999-999999999999', revision: 0, deleted: false, name: id, status: 'active', default_store_id: null,
  organization: { tier: 'enterprise', state: 'active', per_record_ordering: false, limits: {} }, ordering: 'record', width: 1, keys: [],
  active_version: 1, flows: [], binding: { credential_id: 'cred', portal_id: simPortal, epoch: 1 },
});

interface SimPayload {
  n: number;
  number: string;
  customer: { email: string; n: number };
}

/** One accepted event or replay, as it was sent. `payload.n`: its number, from 1 on; of a replay its event's, with a fraction. */
export interface SimEvent {
  envelope: EventEnvelope;
  payload: SimPayload;
}

const numbered = (payload: SimPayload, n: number): SimPayload => ({ ...payload, n, customer: { ...payload.customer, n } });

export interface SimTrafficDeps {
  prng: Prng;
  clock: Clock;
  bus: EventBus;
  reader: MemoryConfigReader;
  blobs: BlobStore;
}

/** What the outside world does: sends events, replays them, pauses connectors and wakes them, publishes versions. */
export interface SimTraffic {
  /** By their numbers, from 1 on. */
  sent: SimEvent[];
  replays: SimEvent[];
  /** Every change of a connector, in order. */
  changes: { at: number; change: ConnectorChange }[];
  stateOf(connectorId: string): ConnectorChange;
  change(connectorId: string, change: Partial<ConnectorChange>): Promise<void>;
  publishEvents(): Promise<void>;
  /** Runs an ended event again, under a new run: a fraction of its number tells what it writes. */
  replay(event: SimEvent): Promise<void>;
}

export function createSimTraffic({ prng, clock, bus: outside, reader, blobs }: SimTrafficDeps): SimTraffic {
  const [sent, replays]: [SimEvent[], SimEvent[]] = [[], []];
  const changes: SimTraffic['changes'] = [];
  const states = new Map(connectors.map((id) => [id, connectorOf(id)]));
  const stateOf = (id: string): ConnectorChange => states.get(id)!;
  const change = async (id: string, changed: Partial<ConnectorChange>): Promise<void> => {
    const next = { ...stateOf(id), ...changed, revision: stateOf(id).revision + 1 };
    states.set(id, next);
    changes.push({ at: clock.now(), change: next });
    reader.putConnector(next);
    await outside.publish(connectorChanges.name, 0, [{ key: id, value: Buffer.from(JSON.stringify(next)) }]);
  };
  const publish = (envelopes: readonly EventEnvelope[]): Promise<unknown> => outside.publish(
    eventsInbound.name, lanePartition(envelopes[0]!.connector_id, '', 1, simPartitions), envelopes.map((envelope) => ({ key: envelope.lane, value: encodeEnvelope(envelope) })),
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
    const connectorId = prng.pick(connectors);
    const events: EventEnvelope[] = [];
    for (let left = 1 + prng.int(7); left > 0; left -= 1) {
      const event = await nextEvent(connectorId);
      sent.push(event);
      events.push(event.envelope);
    }
    // A resend of what was accepted before: the same event id, dropped by whoever finds it done.
    const isOwn = ({ envelope }: SimEvent): boolean => envelope.connector_id === connectorId;
    const again = prng.chance(0.1) ? sent.filter(isOwn).at(-1 - prng.int(3)) : undefined;
    await publish([...events, ...(again ? [again.envelope] : [])]);
  };
  const nextEvent = async (connectorId: string): Promise<SimEvent> => {
    const n = sent.length + 1;
    const poison = prng.chance(0.03) ? prng.pick(['poison-500', 'poison-400', 'poison-207']) : null;
    const email = `${poison ?? `c${prng.int(5)}`}@shop.test`;
    const number = `N${prng.int(5)}`;
    const kind = prng.pick(['customer_synced', 'order.placed', 'shipping.planned'] as const);
    const lane = { customer_synced: entityLane(connectorId, 'customer', email), 'order.placed': connectorLane(connectorId), 'shipping.planned': entityLane(connectorId, 'order', number) }[kind];
    const at = new Date(clock.now()).toISOString();
    const payload = numbered({ n, number, customer: { email, n } }, n);
    const envelope: EventEnvelope = {
      v: 1, event_id: `evt_${n}`, entity_index: 0, entities_total: 1, organization_id: '99999999-9999-4999-8999-999999999999', connector_id: connectorId, revision: stateOf(connectorId).revision,
      source_name: 'event_api', source_type: 'event_api', event_type: kind, external_id: { customer_synced: email, 'order.placed': null, 'shipping.planned': number }[kind], timestamp: at, store_id: null, accepted_at: at,
      lane, run: 'first', kind: 'live', payload, request_id: `req-${n}`,
    };
    return { envelope: prng.chance(0.05) ? await large(envelope, payload) : envelope, payload };
  };

  return { sent, replays, changes, stateOf, change, publishEvents, replay };
}
