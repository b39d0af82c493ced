import { aConnector } from '../test-support/a-connector';
import { checkEvent } from './check-event';
import { flowHint } from './flow-hint';

const hint = (body: object, connector = aConnector()) => flowHint(checkEvent(body, {}), connector);
const data = (event: string, more: object = {}) => ({ event, data: {}, ...more });
const entities = (count: number, type = 'contact') => ({ event: 'e', entities: Array.from({ length: count }, (_, id) => ({ type, externalObjectId: String(id), properties: {} })) });

test('nothing to say when an enabled flow is subscribed', () => {
  expect(hint(data('order.created'))).toBeNull();
  expect(hint(entities(50))).toBeNull();
});

test('no published flow, no flow, only a disabled one', () => {
  expect(hint(data('order.created'), aConnector({ active_version: null, flows: [] }))).toMatch(/no published version/);
  expect(hint(data('invoice.paid'))).toBe('No published flow is subscribed to "invoice.paid".');
  expect(hint(data('order'))).toMatch(/No published flow/);
  expect(hint(data('return.created'))).toBe('Only the disabled flow "returns" is subscribed to "return.created".');
  expect(hint(entities(1, 'deal'))).toBe('No published flow is subscribed to "deal_synced".');
});

test('a flow of another source does not count', () => {
  const flows = [{ name: 'f', source: 'hooks', source_type: 'webhook' as const, event_type: 'order.created', enabled: true }];
  expect(hint(data('order.created'), aConnector({ flows }))).toMatch(/No published flow/);
});

test('many entities, and a missing record key where it would order', () => {
  expect(hint(entities(51))).toMatch(/above 50, use a bulk import/);
  const ordered = aConnector({ organization: { per_record_ordering: true } });
  expect(hint(data('order.created'), ordered)).toMatch(/no recordKey/);
  expect(hint(data('order.created', { recordKey: 'k' }), ordered)).toBeNull();
  expect(hint(data('order.created'), { ...ordered, ordering: 'connector' })).toBeNull();
});
