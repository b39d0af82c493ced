import { type ConnectorChange, type EventEnvelope, eventsInbound, eventsOutbound } from '@sluice/contracts';
import type { AcceptedUnit } from '@sluice/ports';
import { eventTopic } from './event-topic';
import { acceptedSourceType, planReplay, type Replay } from './plan-replay';
import { type IntakeEvent, type IntakeOrigin, planUnits } from './plan-units';

const id = '5f0c1c9e-0000-4000-8000-000000000001';
const connector: ConnectorChange = {
  v: 1, connector_id: id, organization_id: '0a000000-0000-4000-8000-000000000001', revision: 7, deleted: false, name: 'Shop',
  status: 'active', default_store_id: null, ordering: 'record', width: 4, keys: [], active_version: 1, binding: null,
  organization: { tier: 'enterprise', state: 'active', per_record_ordering: false, limits: {} },
};
const accepted: AcceptedUnit = {
  eventId: 'evt_1', entityIndex: 2, entitiesTotal: 5, sourceName: 'event_api', sourceType: null, eventType: 'customer_synced',
  externalId: 'C1', lane: `${id}:customer:C1`, acceptedAt: '2026-11-01T10:00:00.000Z', timestamp: null, storeId: null,
  orderingEpoch: 0,
  importRow: null,
};
const replay: Replay = { run: 'replay-1', force: false, requestId: 'req' };
const askedAt = new Date('2026-11-20T08:00:00Z');
const unitOf = (unit: Partial<AcceptedUnit> = {}, change: Partial<ConnectorChange> = {}, more: Partial<Replay> = {}) =>
  planReplay(
    { accepted: { ...accepted, ...unit }, askedAt, payload: { text: '{"n":1}' } },
    { ...connector, ...change },
    { ...replay, ...more },
    24,
  );

describe('the unit of a replay', () => {
  test('is the accepted event in a new run, with the present state of the connector', () => {
    expect(unitOf()).toEqual({
      partition: expect.any(Number) as number,
      envelope: {
        v: 1, width: 4, event_id: 'evt_1', entity_index: 2, entities_total: 5, organization_id: connector.organization_id,
        connector_id: id, revision: 7, source_name: 'event_api', source_type: 'event_api', event_type: 'customer_synced',
        external_id: 'C1', timestamp: accepted.acceptedAt, store_id: null, accepted_at: accepted.acceptedAt, lane: accepted.lane,
        run: 'replay-1', kind: 'replay', replayed_at: '2026-11-20T08:00:00.000Z', payload: { n: 1 }, request_id: 'req',
      },
    });
    const told = unitOf({ timestamp: '2026-10-01T00:00:00Z', storeId: 'main' }, {}, { force: true }).envelope;
    expect(told).toMatchObject({ timestamp: '2026-10-01T00:00:00Z', store_id: 'main', forced: true });
  });

  test('keeps its lane and ordering; with connector ordering it gets the lane of the connector', () => {
    const ordering = { ordering_epoch: 3 };
    expect(unitOf({ orderingEpoch: 2 }, ordering).envelope).toMatchObject({ lane: accepted.lane, ordering_epoch: 2 });
    const whole = unitOf({ orderingEpoch: 2 }, { ...ordering, ordering: 'connector' }).envelope;
    expect(whole).toMatchObject({ lane: id, ordering_epoch: 3 });
  });

  test('goes to the partition of its record\'s events', () => {
    const partitionOf = (lane: string, change: Partial<ConnectorChange> = {}) => unitOf({ lane }, change).partition;
    const first: IntakeEvent = {
      eventId: 'evt_1', aliases: [], acceptedAt: 0, requestId: 'r', timestamp: null, storeId: null,
      records: [{ eventType: 'customer_synced', externalId: 'C1', entityType: 'customer', recordKey: null, payload: {} }],
    };
    const origin: IntakeOrigin = { source: { name: 'event_api', type: 'event_api' }, run: 'first', kind: 'live' };
    expect(planUnits(first, origin, connector, 24)[0]!.partition).toBe(partitionOf(accepted.lane));
    const spread = new Set(['C1', 'C2', 'C3', 'C4', 'C5', 'C6', 'C7'].map((one) => partitionOf(`${id}:customer:${one}`)));
    expect(spread.size).toBeGreaterThan(1);
    expect(partitionOf(id)).toBe(partitionOf(id, { width: 1 }));
  });

  test('goes out for the CRM\'s own journal, and a payload in the blob store stays there', () => {
    const topicOf = (unit: Partial<AcceptedUnit>) => eventTopic(acceptedSourceType({ ...accepted, ...unit }));
    expect(topicOf({ sourceName: 'changes', sourceType: 'crm' })).toBe(eventsOutbound);
    expect([topicOf({}), topicOf({ sourceName: 'erp', sourceType: 'poller' })]).toEqual([eventsInbound, eventsInbound]);
    const stored = (ref: { key: string; bytes: number | null }): EventEnvelope =>
      planReplay({ accepted, askedAt, payload: { ref } }, connector, replay, 24).envelope;
    expect(stored({ key: 'payloads/a', bytes: 300_000 })).toMatchObject({ payload_ref: { key: 'payloads/a', bytes: 300_000 } });
    const unknown = stored({ key: 'payloads/a', bytes: null });
    expect(unknown.payload_ref).toEqual({ key: 'payloads/a', bytes: 10_485_760 });
    expect('payload' in unknown).toBe(false);
  });
});
