import type { ConfigDocument, Step } from './config-document';
import { countCustomTypes, customObjectTypes, namedObjectTypes, standardObjectType } from './object-types';

const empty: ConfigDocument = { version: '3.1', entities: [], flows: [], sources: [] };
const journal = { name: 'journal', type: 'crm' as const };
const withStep = (step: Partial<Step>): ConfigDocument => ({
  ...empty, flows: [{ name: 'f', source: 'event_api', event_type: 'x', steps: [{ id: 's', action: 'find', ...step }] }],
});
const withFlow = (event_type: string, source = 'journal'): ConfigDocument => ({
  ...empty, sources: [journal], flows: [{ name: 'f', source, event_type, steps: [] }],
});

test.each<[string, Partial<ConfigDocument>, string[]]>([
  ['an entity', { entities: [{ name: 'a', schemas: { crm: { object_type: 'p1_boats' }, other: { object_type: 'p1_cars' } } }] }, [
    'p1_boats', 'p1_cars',
  ]],
  ['a find', withStep({ action: 'find', object_type: 'p1_boats' }), ['p1_boats']],
  ['a query', withStep({ action: 'query', object_type: '2-17' }), ['2-17']],
  ['an update by id', withStep({ action: 'update_by_id', object_type: 'calls' }), ['calls']],
  ['a field of a form', withStep({ action: 'submit_form', fields: [{ name: 'n', value: 1, object_type: '2-17' }] }), ['2-17']],
  ['an allowlist, which names none', withStep({ action: 'upsert', fields: ['object_type'] }), []],
  ['a pipeline', { pipelines: [{ object_type: 'p1_boats', label: 'a', stages: [] }] }, ['p1_boats']],
  ['a trigger', { sources: [{ ...journal, config: { triggers: [{ object_type: 'p1_boats' }] } }] }, ['p1_boats']],
  ['what a journal reads along', { sources: [{ ...journal, config: { enrich_properties: { p1_boats: [] } } }] }, ['p1_boats']],
  ['the same words of another source', {
    sources: [{ name: 's', type: 'scheduled', config: { triggers: [{ object_type: 'x' }] } }],
  }, []],
  ['an event type of the journal', withFlow('2-17.update'), ['2-17']],
  ['a wildcard of it', withFlow('2-17.*'), ['2-17']],
  ['a standard one', withFlow('0-3.create'), []],
  ['an event type of another source', withFlow('2-17.update', 'event_api'), []],
  ['standard types in every form', {
    entities: ['Contact', 'companies', 'deal', 'tickets', 'product', 'line_items', '0-1', '0-8'].map((object_type, index) =>
      ({ name: `e${index}`, schemas: { crm: { object_type } } })),
  }, []],
  ['nothing', empty, []],
])('%s', (_title, config, expected) => {
  expect(customObjectTypes(config)).toEqual(expected);
});

test('each type is named once', () => {
  const entity = (name: string) => ({ name, schemas: { crm: { object_type: 'contacts' } } });
  expect(namedObjectTypes({ entities: [entity('a'), entity('b')] })).toEqual(['contacts']);
});

test('a type may be named by its name and by its id: it counts once', () => {
  expect(countCustomTypes(['p1_boats', 'p1_cars', 'contacts', '2-17'])).toBe(2);
  expect(countCustomTypes(['p1_boats', '2-17', '2-18'])).toBe(2);
  expect(countCustomTypes(['contacts', '0-1'])).toBe(0);
});

test('standard types are known by id, plural and singular', () => {
  expect(['0-2', 'company', 'COMPANIES', 'p1_boats', 'constructor'].map(standardObjectType)).toEqual([
    'companies', 'companies', 'companies', null, null,
  ]);
});
