import { aConnector, connectorId } from '@sluice/connector-feed/testing';
import { type IntakeEvent, type IntakeOrigin, type IntakeRecord, planUnits } from './plan-units';

const origin: IntakeOrigin = { source: { name: 'event_api', type: 'event_api' }, run: 'first', kind: 'live' };
const data: IntakeRecord = { eventType: 'e', externalId: null, entityType: null, recordKey: null, payload: {} };
const contact = (id: string): IntakeRecord => ({
  ...data,
  eventType: 'contact_synced',
  externalId: id,
  entityType: 'contact',
  payload: { id },
});
const event = (records: IntakeRecord[], more: Partial<IntakeEvent> = {}): IntakeEvent => ({
  eventId: 'evt_1',
  aliases: [],
  acceptedAt: Date.parse('2026-03-02T10:00:00Z'),
  requestId: 'r',
  timestamp: null,
  storeId: null,
  records,
  ...more,
});
const plan = (records: IntakeRecord[], connector = aConnector()) => planUnits(event(records), origin, connector, 24);
const perRecord = aConnector({ organization: { per_record_ordering: true } });

test.each<[string, IntakeRecord, ReturnType<typeof aConnector>, string]>([
  ['data goes with its connector', data, aConnector(), connectorId],
  ['a record key orders nothing before the rollout', { ...data, recordKey: 'k' }, aConnector(), connectorId],
  ['a record key orders per record', { ...data, recordKey: 'k' }, perRecord, `${connectorId}:k`],
  ['without a record key it has no lane of its own', data, perRecord, connectorId],
  ['entities are always ordered per record', contact('1'), aConnector(), `${connectorId}:contact:1`],
  [
    'the record of an entity orders before its record key',
    { ...contact('1'), recordKey: 'k' },
    perRecord,
    `${connectorId}:contact:1`,
  ],
  ['an id without a type orders nothing', { ...data, externalId: '1' }, perRecord, connectorId],
  ['a connector may opt out: data', { ...data, recordKey: 'k' }, { ...perRecord, ordering: 'connector' }, connectorId],
  ['a connector may opt out: entities', contact('1'), { ...perRecord, ordering: 'connector' }, connectorId],
])('%s', (_name, record, connector, lane) =>
  expect(plan([record], connector).map(({ envelope }) => envelope.lane)).toEqual([lane]),
);

test('a narrow connector has one partition, a wide one spreads its records, a lane never moves', () => {
  const contacts = Array.from({ length: 100 }, (_, id) => contact(String(id)));
  const partitionsOf = (width: number, records = contacts) =>
    plan(records, aConnector({ width })).map(({ partition }) => partition);
  expect(new Set(partitionsOf(1)).size).toBe(1);
  expect(new Set(partitionsOf(4)).size).toBe(4);
  expect(partitionsOf(4)).toEqual(partitionsOf(4));
  expect(partitionsOf(4, [contact('7'), contact('7')])).toEqual([partitionsOf(4)[7], partitionsOf(4)[7]]);
  for (const partition of partitionsOf(24)) expect(partition >= 0 && partition < 24).toBe(true);
});

test('a raised width counts from its beginning on, with the ordering epoch that the raise has made', () => {
  const contacts = Array.from({ length: 100 }, (_, id) => contact(String(id)));
  const planned = (from: string) => {
    const connector = aConnector({ ordering_epoch: 1, width: 4, width_raise: { before: 1, from } });
    const units = plan(contacts, connector);
    const { ordering_epoch: epoch, width } = units[0]!.envelope;
    return { partitions: new Set(units.map(({ partition }) => partition)).size, epoch, width };
  };
  expect(planned('2026-03-02T10:00:00.000Z')).toEqual({ partitions: 4, epoch: 1, width: 4 });
  expect(planned('2026-03-02T10:00:00.001Z')).toEqual({ partitions: 1, epoch: undefined, width: undefined });
});

test('each envelope has the ordering under which it was accepted', () => {
  const units = plan([contact('1'), contact('2')], aConnector({ ordering_epoch: 3 }));
  expect(units.map(({ envelope }) => envelope.ordering_epoch)).toEqual([3, 3]);
  expect(plan([data])[0]!.envelope).not.toHaveProperty('ordering_epoch');
});

test('time, store and aliases', () => {
  const connector = aConnector({ default_store_id: 'main' });
  const one = (more: Partial<IntakeEvent>) => planUnits(event([data], more), origin, connector, 1)[0]?.envelope;
  expect(one({})).toMatchObject({
    timestamp: '2026-03-02T10:00:00.000Z',
    accepted_at: '2026-03-02T10:00:00.000Z',
    store_id: 'main',
  });
  expect(one({ storeId: 'given' })).toMatchObject({ store_id: 'given' });
  expect(one({ timestamp: '2025-12-31T23:00:00.000Z' })).toMatchObject({
    timestamp: '2025-12-31T23:00:00.000Z',
    accepted_at: '2026-03-02T10:00:00.000Z',
  });
  expect(one({})).not.toHaveProperty('aliases');
  expect(one({ aliases: ['evt_0'] })?.aliases).toEqual(['evt_0']);
});

test('each record is a unit of one event, in the order given', () => {
  const units = plan([contact('1'), contact('2')]);
  const facts = units.map(({ envelope: { event_id, entity_index, entities_total, external_id, event_type, payload } }) =>
    ({ event_id, entity_index, entities_total, external_id, event_type, payload }));
  const of = (index: number, id: string) => ({
    event_id: 'evt_1',
    entity_index: index,
    entities_total: 2,
    external_id: id,
    event_type: 'contact_synced',
    payload: { id },
  });
  expect(facts).toEqual([of(0, '1'), of(1, '2')]);
});

test('source, run and kind come from the caller', () => {
  const replayed: IntakeOrigin = { source: { name: 'orders', type: 'webhook' }, run: 'replay-1', kind: 'replay' };
  const [unit] = planUnits(event([data]), replayed, aConnector(), 24);
  expect(unit?.envelope).toMatchObject({ source_name: 'orders', source_type: 'webhook', run: 'replay-1', kind: 'replay' });
});
