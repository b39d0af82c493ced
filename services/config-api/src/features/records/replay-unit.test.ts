import { eventsInbound, eventsOutbound, type ConnectorChange } from '@sluice/contracts';
import type { AcceptedUnit } from '@sluice/ports';
import { partitionOf, type Replay, replayUnit } from './replay-unit';

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
};
const replay: Replay = { run: 'replay-1', askedAt: new Date('2026-11-20T08:00:00Z'), force: false, requestId: 'req' };
const unitOf = (unit: Partial<AcceptedUnit> = {}, change: Partial<ConnectorChange> = {}, more: Partial<Replay> = {}) =>
  replayUnit(
    { accepted: { ...accepted, ...unit }, payload: { text: '{"n":1}' } }, { ...connector, ...change }, { ...replay, ...more },
  );

describe('the unit of a replay', () => {
  test('is the accepted event in a new run, with the present state of the connector', () => {
    expect(unitOf()).toEqual({
      topic: eventsInbound,
      envelope: {
        v: 1, event_id: 'evt_1', entity_index: 2, entities_total: 5, organization_id: connector.organization_id,
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
    const { envelope } = unitOf();
    expect(partitionOf(envelope, connector, 24)).toBe(partitionOf({ ...envelope, run: 'first' }, connector, 24));
    const spread = new Set(['C1', 'C2', 'C3', 'C4', 'C5', 'C6', 'C7'].map((one) =>
      partitionOf({ ...envelope, lane: `${id}:customer:${one}` }, connector, 24)));
    expect(spread.size).toBeGreaterThan(1);
    const whole = { ...envelope, lane: id };
    expect(partitionOf(whole, connector, 24)).toBe(partitionOf(whole, { ...connector, width: 1 }, 24));
  });

  test('of the CRM\'s own journal is outbound, and a payload in the blob store stays there', () => {
    expect(unitOf({ sourceName: 'changes', sourceType: 'crm' }).topic).toBe(eventsOutbound);
    const large = { ref: { key: 'payloads/a', bytes: 300_000 } };
    expect(replayUnit({ accepted, payload: large }, connector, replay).envelope).toMatchObject({ payload_ref: large.ref });
    const unknown = replayUnit({ accepted, payload: { ref: { key: 'payloads/a', bytes: null } } }, connector, replay).envelope;
    expect(unknown.payload_ref).toEqual({ key: 'payloads/a', bytes: 10_485_760 });
    expect('payload' in unknown).toBe(false);
  });
});
