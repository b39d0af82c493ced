import type { FlowIndexEntry } from '@sluice/contracts';
import { compileMatcher } from '@sluice/flow-engine';
import { aConnector, flowsOfTests } from '@sluice/connector-feed/testing';
import { checkEvent } from './check-event';
import { flowHint } from './flow-hint';

const matcher = (flows: FlowIndexEntry[]) =>
  compileMatcher({
    sources: flows.map(({ source, source_type }) => ({ name: source, type: source_type })),
    flows: flows.map((flow) => ({ ...flow, steps: [] })),
  });
const published = matcher(flowsOfTests);
const hint = (body: object, connector = aConnector(), flows: typeof published | null = published) =>
  flowHint(checkEvent(body, {}), connector, flows);
const data = (event: string, more: object = {}) => ({ event, data: {}, ...more });
const entities = (count: number, type = 'contact') => ({
  event: 'e',
  entities: Array.from({ length: count }, (_, id) => ({ type, externalObjectId: String(id), properties: {} })),
});

test('no hint when an enabled flow is subscribed', () => {
  expect(hint(data('order.created'))).toBeNull();
  expect(hint(entities(50))).toBeNull();
});

test('no published flow, no flow, only a disabled one', () => {
  expect(hint(data('order.created'), aConnector({ active_version: null }), null)).toMatch(/no published version/);
  expect(hint(data('invoice.paid'))).toBe('No published flow is subscribed to "invoice.paid".');
  expect(hint(data('order'))).toMatch(/No published flow/);
  expect(hint(data('return.created'))).toBe('Only the disabled flow "returns" is subscribed to "return.created".');
  expect(hint(entities(1, 'deal'))).toBe('No published flow is subscribed to "deal_synced".');
});

test('no hint when the flows could not be read', () => {
  expect(hint(data('invoice.paid'), aConnector(), null)).toBeNull();
  expect(hint(entities(51), aConnector(), null)).toMatch(/above 50/);
});

test('a flow of another source does not count', () => {
  const flows = [{ name: 'f', source: 'hooks', source_type: 'webhook' as const, event_type: 'order.created', enabled: true }];
  expect(hint(data('order.created'), aConnector(), matcher(flows))).toMatch(/No published flow/);
});

test('many entities, and a missing record key where it would order', () => {
  expect(hint(entities(51))).toMatch(/above 50, use a bulk import/);
  const ordered = aConnector({ organization: { per_record_ordering: true } });
  expect(hint(data('order.created'), ordered)).toMatch(/no recordKey/);
  expect(hint(data('order.created', { recordKey: 'k' }), ordered)).toBeNull();
  expect(hint(data('order.created'), { ...ordered, ordering: 'connector' })).toBeNull();
});
