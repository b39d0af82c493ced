import { checkEvent } from './check-event';
import { eventTypesOf, recordsOf } from './event-records';

const contact = (id: string) => ({ type: 'contact', externalObjectId: id, properties: { id } });
const records = (body: object) => recordsOf(checkEvent(body, {}));

test('data is one record, with its record key', () => {
  const order = { eventType: 'e', externalId: null, entityType: null, payload: { id: '1' } };
  expect(records({ event: 'e', data: { id: '1' } })).toEqual([{ ...order, recordKey: null }]);
  expect(records({ event: 'e', data: { id: '1' }, recordKey: 'k' })).toEqual([{ ...order, recordKey: 'k' }]);
});

test('entities are a record each, and read no record key', () => {
  expect(records({ event: 'e', recordKey: 'k', entities: [contact('1'), contact('2')] })).toEqual([
    { eventType: 'contact_synced', externalId: '1', entityType: 'contact', recordKey: null, payload: { id: '1' } },
    { eventType: 'contact_synced', externalId: '2', entityType: 'contact', recordKey: null, payload: { id: '2' } },
  ]);
});

test('event types of a request, each once', () => {
  const request = checkEvent({ event: 'e', entities: [contact('1'), contact('2'), { ...contact('3'), type: 'deal' }] }, {});
  expect(eventTypesOf(request)).toEqual(['contact_synced', 'deal_synced']);
});

test('time and store: the header names the store where the body does not', () => {
  const one = (body: object) => checkEvent({ event: 'e', data: {}, ...body }, { 'x-store-id': 'header' });
  expect(one({})).toMatchObject({ timestamp: null, storeId: 'header' });
  expect(one({ timestamp: null, storeId: null })).toMatchObject({ timestamp: null, storeId: 'header' });
  expect(one({ timestamp: '2026-01-01T00:00:00+01:00', storeId: 'body' })).toMatchObject({
    timestamp: '2025-12-31T23:00:00.000Z',
    storeId: 'body',
  });
});
