import type { ConfigDocument } from '@sluice/contracts';
import fc from 'fast-check';
import { applyPatch } from 'rfc6902';
import { configEquals } from '../document/canonical';
import { configChanges, hasChanges } from './config-changes';
import { emptyConfig } from '../document/empty-config';
import { jsonPatch } from './json-patch';

const entity = (name: string, more: object = {}) => ({ name, schemas: { crm: { object_type: 'contacts', ...more } } });
const flow = (name: string, more: object = {}) => ({ name, source: 'event_api', event_type: name, steps: [], ...more });
const config = (more: Partial<ConfigDocument> = {}): ConfigDocument =>
  ({ version: '3.1', entities: [entity('a'), entity('b')], flows: [flow('f'), flow('g')], sources: [], ...more });
const of = (from: ConfigDocument | null, to: ConfigDocument) =>
  configChanges(from, to).map(({ type, entity: one, event_flow, source }) => [type, one, event_flow, source]);

test('each part that is added, modified or removed is named', () => {
  const before = config({
    sources: [{ name: 'old', type: 'webhook' }, { name: 'kept', type: 'webhook' }], settings: { a: 1 },
    conflicts: { strategy: 'target_wins' }, pipelines: [],
  });
  const after = config({
    entities: [entity('a', { property_group: 'shop' }), entity('c')], flows: [flow('g', { enabled: false }), flow('h')],
    sources: [{ name: 'kept', type: 'webhook', config: { signature_header: 'X' } }, { name: 'new', type: 'file' }],
    settings: { a: 2 }, conflicts: { strategy: 'most_recent' }, ingress_profile: { auth_header: 'X-Key', routes: [] },
  });
  expect(of(before, after)).toEqual([
    ['entity_modified', 'a', null, null], ['entity_added', 'c', null, null], ['entity_removed', 'b', null, null],
    ['event_flow_modified', null, 'g', null], ['event_flow_added', null, 'h', null], ['event_flow_removed', null, 'f', null],
    ['source_modified', null, null, 'kept'], ['source_added', null, null, 'new'], ['source_removed', null, null, 'old'],
    ['conflicts_modified', null, null, null], ['pipelines_removed', null, null, null],
    ['ingress_profile_added', null, null, null], ['settings_modified', null, null, null],
  ]);
  expect(of(after, before).map(([type]) => type)).toEqual(expect.arrayContaining([
    'conflicts_modified', 'pipelines_added', 'ingress_profile_removed',
  ]));
});

test('the detail says where', () => {
  const [change] = configChanges(config(), config({ entities: [entity('a', { property_group: 'shop' }), entity('b')] }));
  expect(change!.detail).toBe("Entity 'a' changes: added schemas.crm.property_group.");
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, index]));
  const [long] = configChanges(config(), config({ settings: many }));
  expect(long!.detail).toMatch(/^Settings change: added k0; .*; and 22 more\.$/);
});

test('a moved member and another version of the document are changes', () => {
  expect(of(config(), config({ entities: [entity('b'), entity('a')] })).map(([type, name]) => [type, name])).toEqual([
    ['entity_modified', 'b'], ['entity_modified', 'a'],
  ]);
  expect(of(config(), config({ version: '3.0' }))).toEqual([['settings_modified', null, null, null]]);
  expect(of(config({ sources: undefined }), config())).toEqual([]);
});

test('before the first publish nothing is compared with', () => {
  expect(of(null, emptyConfig())).toEqual([]);
  expect(of(null, { ...emptyConfig(), version: '3.0', conflicts: {}, pipelines: [] })).toEqual([]);
  expect(of(null, config({ settings: { a: 1 } })).map(([type]) => type)).toEqual([
    'entity_added', 'entity_added', 'event_flow_added', 'event_flow_added', 'settings_modified',
  ]);
});

const jsonCopy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
/** As it comes from JSON text, so without -0; a config has no key __proto__. */
const json = fc.jsonValue({ maxDepth: 4 }).map(jsonCopy).filter((value) => !JSON.stringify(value).includes('__proto__'));
const named = (more: fc.Arbitrary<object>) =>
  fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', '~/e'), more), { selector: ([name]) => name, maxLength: 5 })
    .map((list) => list.map(([name, rest]) => ({ ...rest, name })));
const part = fc.dictionary(fc.constantFrom('x', 'y', 'a/b', '~'), json, { maxKeys: 3 });
const anyConfig = fc.record(
  {
    version: fc.constantFrom('3.0', '3.1'), entities: named(part), flows: named(part), sources: named(part),
    settings: part, conflicts: part, pipelines: fc.array(part, { maxLength: 3 }), ingress_profile: part,
  },
  { requiredKeys: ['version', 'entities', 'flows', 'sources'] },
) as unknown as fc.Arbitrary<ConfigDocument>;

test('there are changes exactly when the configs differ', () => {
  fc.assert(fc.property(anyConfig, anyConfig, (from, to) => {
    expect(configChanges(from, to).length > 0).toBe(!configEquals(from, to));
    expect(hasChanges(from, to)).toBe(!configEquals(from, to));
    expect(hasChanges(null, to)).toBe(configChanges(null, to).length > 0);
    expect(configChanges(from, from)).toEqual([]);
  }));
});

/** Judged by a library that we do not make patches with. */
const patched = (from: unknown, to: unknown): unknown => {
  const holder = { value: jsonCopy(from) };
  const operations = jsonPatch(from, to).map((operation) => ({ ...operation, path: `/value${operation.path}` }));
  expect(applyPatch(holder, jsonCopy(operations) as Parameters<typeof applyPatch>[1]).filter(Boolean)).toEqual([]);
  return holder.value;
};

test('the patch applied to the one gives the other', () => {
  fc.assert(fc.property(json, json, (from, to) => expect(patched(from, to)).toEqual(to)), { numRuns: 300 });
  fc.assert(fc.property(anyConfig, anyConfig, (from, to) => expect(patched(from, to)).toEqual(to)), { numRuns: 300 });
  const items = fc.array(fc.constantFrom(1, 2, { a: 1 }, { a: 2 }), { maxLength: 6 });
  fc.assert(fc.property(items, items, (from, to) => expect(patched(from, to)).toEqual(to)), { numRuns: 300 });
});

test('the patch is small where little changes', () => {
  const list = Array.from({ length: 100 }, (_, index) => flow(`f${index}`));
  expect(jsonPatch(list, list.toSpliced(10, 1))).toEqual([{ op: 'remove', path: '/10' }]);
  expect(jsonPatch(list, list.toSpliced(10, 0, flow('new')))).toEqual([{ op: 'add', path: '/10', value: flow('new') }]);
  expect(jsonPatch(list, list.with(10, { ...list[10]!, enabled: false } as never))).toEqual([
    { op: 'add', path: '/10/enabled', value: false },
  ]);
  expect(jsonPatch({ 'a/b~c': 1 }, {})).toEqual([{ op: 'remove', path: '/a~1b~0c' }]);
});

test('lists that have nothing in common cost no more than their size', () => {
  const list = (letter: string) => Array.from({ length: 20_000 }, (_, index) => ({ name: `${letter}${index}` }));
  expect(jsonPatch(list('a'), list('b'))).toHaveLength(20_000);
});
