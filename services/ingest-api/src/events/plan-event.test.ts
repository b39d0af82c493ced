import { aConnector, connectorId } from '@sluice/connector-feed/testing';
import { checkEvent } from './check-event';
import { eventTypesOf, planEvent } from './plan-event';

const stamp = { eventId: 'evt_1', aliases: [], acceptedAt: Date.parse('2026-03-02T10:00:00Z'), requestId: 'r' };
const contact = (id: string) => ({ type: 'contact', externalObjectId: id, properties: { id } });
const plan = (body: object, connector = aConnector(), headers = {}, partitions = 24) => planEvent(checkEvent(body, headers), connector, stamp, partitions);
const lanes = (...given: Parameters<typeof plan>) => plan(...given).map(({ envelope }) => envelope.lane);
const perRecord = aConnector({ organization: { per_record_ordering: true } });

test.each<[string, object, ReturnType<typeof aConnector>, string]>([
  ['data goes with its connector', { event: 'e', data: {} }, aConnector(), connectorId],
  ['a record key orders nothing before the rollout', { event: 'e', data: {}, recordKey: 'k' }, aConnector(), connectorId],
  ['a record key orders per record', { event: 'e', data: {}, recordKey: 'k' }, perRecord, `${connectorId}:k`],
  ['no record key, no lane of its own', { event: 'e', data: {} }, perRecord, connectorId],
  ['entities are ordered per record, always', { event: 'e', entities: [contact('1')] }, aConnector(), `${connectorId}:contact:1`],
  ['entities read no record key', { event: 'e', recordKey: 'k', entities: [contact('1')] }, perRecord, `${connectorId}:contact:1`],
  ['a connector may opt out: data', { event: 'e', data: {}, recordKey: 'k' }, { ...perRecord, ordering: 'connector' }, connectorId],
  ['a connector may opt out: entities', { event: 'e', entities: [contact('1')] }, { ...perRecord, ordering: 'connector' }, connectorId],
])('%s', (_name, body, connector, lane) => expect(lanes(body, connector)).toEqual([lane]));

test('a narrow connector has one partition, a wide one spreads its records, a lane never moves', () => {
  const entities = Array.from({ length: 100 }, (_, id) => contact(String(id)));
  const partitionsOf = (width: number, ids = entities) => plan({ event: 'e', entities: ids }, aConnector({ width })).map(({ partition }) => partition);
  expect(new Set(partitionsOf(1)).size).toBe(1);
  expect(new Set(partitionsOf(4)).size).toBe(4);
  expect(partitionsOf(4)).toEqual(partitionsOf(4));
  expect(partitionsOf(4, [contact('7'), contact('7')])).toEqual([partitionsOf(4)[7], partitionsOf(4)[7]]);
  for (const partition of partitionsOf(24)) expect(partition >= 0 && partition < 24).toBe(true);
});

test('the ordering under which it was accepted goes with each event', () => {
  const events = [contact('1'), contact('2')];
  const units = plan({ event: 'e', entities: events }, aConnector({ ordering_epoch: 3 }));
  expect(units.map(({ envelope }) => envelope.ordering_epoch)).toEqual([3, 3]);
  expect(plan({ event: 'e', data: {} }, aConnector())[0]!.envelope).not.toHaveProperty('ordering_epoch');
});

test('time, store and aliases', () => {
  const connector = aConnector({ default_store_id: 'main' });
  const one = (body: object, headers = {}) => plan({ event: 'e', data: {}, ...body }, connector, headers)[0]?.envelope;
  expect(one({})).toMatchObject({ timestamp: '2026-03-02T10:00:00.000Z', accepted_at: '2026-03-02T10:00:00.000Z', store_id: 'main' });
  expect(one({ timestamp: null, storeId: null }, { 'x-store-id': 'header' })).toMatchObject({ store_id: 'header' });
  expect(one({ timestamp: '2026-01-01T00:00:00+01:00', storeId: 'body' }, { 'x-store-id': 'header' })).toMatchObject({ timestamp: '2025-12-31T23:00:00.000Z', store_id: 'body' });
  expect(one({})).not.toHaveProperty('aliases');
  expect(planEvent(checkEvent({ event: 'e', data: {} }, {}), connector, { ...stamp, aliases: ['evt_0'] }, 1)[0]?.envelope.aliases).toEqual(['evt_0']);
});

test('event types of a request, each once', () => {
  const request = checkEvent({ event: 'e', entities: [contact('1'), contact('2'), { ...contact('3'), type: 'deal' }] }, {});
  expect(eventTypesOf(request)).toEqual(['contact_synced', 'deal_synced']);
});
