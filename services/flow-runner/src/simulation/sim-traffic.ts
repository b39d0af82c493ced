import { connectorChanges, connectorLane, encodeEnvelope, entityLane, eventsInbound, lanePartition, type ConnectorChange, type EventEnvelope } from '@sluice/contracts';
import type { EventBus } from '@sluice/ports';
import type { MemoryConfigReader } from '@sluice/ports/testing';
import type { Prng } from './prng';
import type { Clock } from './virtual-clock';

export const simPartitions = 3;
export const simPortal = '1000001';

/** Three connectors that share one portal. */
export const connectors = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222', '33333333-3333-4333-8333-333333333333'];

/** Revision 1 and onwards of one of the simulated connectors. */
const connectorOf = (id: string, status: ConnectorChange['status'], revision: number): ConnectorChange => ({
  v: 1, connector_id: id, organization_id: '99999999-9999-4999-8999-999999999999', revision, deleted: false, name: id, status, default_store_id: null,
  organization: { tier: 'enterprise', state: 'active', per_record_ordering: false, limits: {} }, ordering: 'record', width: 1, keys: [],
  active_version: 1, flows: [], binding: { credential_id: 'cred', portal_id: simPortal, epoch: 1 },
});

export interface SimTrafficDeps {
  prng: Prng;
  clock: Clock;
  bus: EventBus;
  reader: MemoryConfigReader;
}

/** What the outside world does: sends events, pauses connectors and wakes them. */
export interface SimTraffic {
  sent: EventEnvelope[];
  statusOf(connectorId: string): ConnectorChange['status'];
  setStatus(connectorId: string, status: ConnectorChange['status']): Promise<void>;
  publishEvents(): Promise<void>;
}

export function createSimTraffic({ prng, clock, bus: outside, reader }: SimTrafficDeps): SimTraffic {
  const sent: EventEnvelope[] = [];
  const states = new Map<string, ConnectorChange>();
  const setStatus = async (id: string, status: ConnectorChange['status']): Promise<void> => {
    const change = connectorOf(id, status, (states.get(id)?.revision ?? 0) + 1);
    states.set(id, change);
    reader.putConnector(change);
    await outside.publish(connectorChanges.name, 0, [{ key: id, value: Buffer.from(JSON.stringify(change)) }]);
  };
  const publishEvents = async (): Promise<void> => {
    const connectorId = prng.pick(connectors);
    const messages = Array.from({ length: 1 + prng.int(7) }, () => {
      const envelope = nextEvent(connectorId);
      sent.push(envelope);
      return { key: envelope.lane, value: encodeEnvelope(envelope) };
    });
    // A resend of what was accepted before: the same event id, dropped by whoever finds it done.
    const again = prng.chance(0.1) ? sent.filter((envelope) => envelope.connector_id === connectorId).at(-1 - prng.int(3)) : undefined;
    await outside.publish(eventsInbound.name, lanePartition(connectorId, '', 1, simPartitions), [...messages, ...(again ? [{ key: again.lane, value: encodeEnvelope(again) }] : [])]);
  };
  const nextEvent = (connectorId: string): EventEnvelope => {
    const n = sent.length + 1;
    const poison = prng.chance(0.03) ? prng.pick(['poison-500', 'poison-400', 'poison-207']) : null;
    const email = `${poison ?? `c${prng.int(5)}`}@shop.test`;
    const number = `N${prng.int(5)}`;
    const kind = prng.pick(['customer_synced', 'order.placed', 'shipping.planned'] as const);
    const lane = { customer_synced: entityLane(connectorId, 'customer', email), 'order.placed': connectorLane(connectorId), 'shipping.planned': entityLane(connectorId, 'order', number) }[kind];
    const at = new Date(clock.now()).toISOString();
    return {
      v: 1, event_id: `evt_${n}`, entity_index: 0, entities_total: 1, organization_id: '99999999-9999-4999-8999-999999999999', connector_id: connectorId, revision: states.get(connectorId)!.revision,
      source_name: 'event_api', source_type: 'event_api', event_type: kind, external_id: { customer_synced: email, 'order.placed': null, 'shipping.planned': number }[kind], timestamp: at, store_id: null, accepted_at: at,
      lane, run: 'first', kind: 'live', payload: { n, number, customer: { email, n } }, request_id: `req-${n}`,
    };
  };

  return { sent, setStatus, publishEvents, statusOf: (id) => states.get(id)!.status };
}
