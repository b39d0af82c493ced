import { entityEventType, entityTypeOf } from './entity-event-type';

test('the event type of an entity leads back to its type', () => {
  expect(entityEventType('customer')).toBe('customer_synced');
  expect(entityTypeOf(entityEventType('customer'))).toBe('customer');
  expect(entityTypeOf(entityEventType('a_synced'))).toBe('a_synced');
});

test('other event types stand for themselves', () => {
  expect(['order.created', '_synced_order', 'synced'].map(entityTypeOf)).toEqual(['order.created', '_synced_order', 'synced']);
});
