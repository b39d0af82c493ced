import { payloadShapesJob } from './payload-shapes';
import { proposalChangesJob } from './proposal-changes';

const payload = (value: unknown, eventType = 'order.placed') =>
  ({ sourceName: 'event_api', eventType, payloadText: JSON.stringify(value) });

test('names and types of fields by kind of event, without a value', () => {
  const customer = { email: 'ada@x.example', 'ada@x.example': 1 };
  const one = { customer, lines: [{ sku: 'A', price: '1.50' }, { sku: null }], paid: true };
  const other = payload({ at: '2026-01-05' }, 'order.paid');
  const shapes = payloadShapesJob({ payloads: [payload(one), payload({ paid: 'no' }), other] });
  expect(shapes).toEqual([
    {
      source: 'event_api', event_type: 'order.placed', events: 2,
      fields: [
        { path: 'customer.email', types: ['text (email)'], seen: 1 }, { path: 'customer.(key)', types: ['number'], seen: 1 },
        { path: 'lines[].sku', types: ['text', 'null'], seen: 1 }, { path: 'lines[].price', types: ['text (number)'], seen: 1 },
        { path: 'paid', types: ['boolean', 'text'], seen: 2 },
      ],
    },
    { source: 'event_api', event_type: 'order.paid', events: 1, fields: [{ path: 'at', types: ['text (date)'], seen: 1 }] },
  ]);
});

test('what is hostile stays bounded', () => {
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, nth) => [`f${nth}x`, nth]));
  const deep = JSON.parse(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`) as unknown;
  const [shape] = payloadShapesJob({ payloads: [payload(wide), payload(deep)] });
  expect(shape!.fields.length).toBeLessThanOrEqual(300);
});

test('a proposal names new hosts, credentials at a new place, and what goes', () => {
  const mapping = (target: string) => ({ source: '$.payload.a', target });
  const entity = (...targets: string[]) => ({ name: 'customer', schemas: { crm: { field_mappings: targets.map(mapping) } } });
  const source = (base_url: string) => ({ name: 'erp', type: 'rest', config: { base_url, auth: { credential: 'key' } } });
  const config = (of: object) => JSON.stringify({ version: '3.0', entities: [], flows: [], sources: [], ...of });
  const flows = [{ name: 'f', steps: [] }];
  const from = config({ entities: [entity('a', 'b')], flows, sources: [source('https://old.example')] });
  const to = config({ entities: [entity('a')], sources: [source('https://new.example/x')] });
  expect(proposalChangesJob({ from, to })).toEqual([
    'new host: new.example', 'new use of a credential: key in source erp (new.example)', 'flow removed: f',
    'mapping removed: customer.crm.b',
  ]);
  expect(proposalChangesJob({ from, to: from })).toEqual([]);
});
