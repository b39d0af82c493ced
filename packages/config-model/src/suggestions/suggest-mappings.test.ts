import type { Entity, FieldMapping } from '@sluice/contracts';
import { checkConfig } from '../checks/check-config';
import { suggestMappings } from './suggest-mappings';

const entity = (more: { field_mappings?: FieldMapping[]; property?: string; payload_root?: string } = {}): Entity => ({
  name: 'customer',
  ...(more.payload_root && { payload_root: more.payload_root }),
  schemas: {
    crm: { object_type: 'contacts', identity: { property: more.property ?? 'email' }, field_mappings: more.field_mappings ?? [] },
  },
});
const property = (name: string, more: object = {}) => ({ name, label: name, type: 'string', field_type: 'text', ...more });
const portal = [
  property('email', { label: 'Email' }), property('firstname', { label: 'First Name' }), property('phone'),
  property('loyalty_level', { label: 'Level', type: 'enumeration', field_type: 'select', options: [{ value: 'gold' }] }),
  property('score', { type: 'number', field_type: 'number' }), property('createdate', { read_only: true }),
];
const payloads = [
  {
    Email: 'A@b.example', 'first name': 'Ada', mobile: '123', level: 'gold', score: '7', createdate: '2026-01-01', hs_own: 1,
    extra: { Size: 3 },
  },
  { Email: 'c@d.example', list: [1], score: 8 },
];
const brief = (list: ReturnType<typeof suggestMappings>) =>
  list.map(({ source, target, confidence, exists }) => [source, target, confidence, exists]);

test('fields are matched with the properties of the portal, each with a reason', () => {
  const list = suggestMappings(entity(), { payloads, properties: portal });
  expect(brief(list)).toEqual([
    ['$.payload.Email', 'email', 'high', true], ['$.payload.score', 'score', 'high', true],
    ["$.payload['first name']", 'firstname', 'high', true], ['$.payload.level', 'loyalty_level', 'high', true],
    ['$.payload.mobile', 'phone', 'medium', true],
    ['$.payload.extra.Size', 'extra_size', 'low', false],
  ]);
  expect(list.filter(({ reason }) => reason === '')).toEqual([]);
  expect(list.find(({ target }) => target === 'email')).toMatchObject({ transform: ['normalize_email'], seen_in: 2 });
  expect(list.find(({ target }) => target === 'score')).toMatchObject({ transform: ['to_number'], crm_type: 'number' });
  expect(list.find(({ target }) => target === 'loyalty_level')).toMatchObject({ crm_options: [{ value: 'gold' }] });
  expect(list.find(({ target }) => target === 'extra_size')).toMatchObject({ crm_type: 'number', seen_in: 1 });
});

test('what is mapped already is left out', () => {
  const field_mappings = [{ source: '$.payload.Email', target: 'email' }, { source: '$.payload.x', target: 'phone' }];
  const list = suggestMappings(entity({ field_mappings }), { payloads, properties: portal });
  expect(list.filter(({ target }) => ['email', 'phone'].includes(target))).toEqual([]);
  expect(list.some(({ source }) => source === '$.payload.Email')).toBe(false);
});

test('an identity property that nothing writes comes from the external id', () => {
  expect(brief(suggestMappings(entity({ property: 'shop_id' }), { payloads: [], properties: portal }))[0]).toEqual([
    '$.external_id', 'shop_id', 'high', false,
  ]);
});

test('without a payload the usual properties are suggested, without a portal as well', () => {
  const unseen = suggestMappings(entity(), { payloads: [], properties: portal });
  expect(brief(unseen)).toEqual([
    ['$.payload.email', 'email', 'low', true], ['$.payload.firstname', 'firstname', 'low', true],
    ['$.payload.phone', 'phone', 'low', true],
  ]);
  const unknown = suggestMappings(entity(), { payloads: [], properties: null });
  expect(unknown.length).toBeGreaterThan(5);
  expect(new Set(unknown.map(({ exists }) => exists))).toEqual(new Set([null]));
});

test('the payload is seen from the root of the entity', () => {
  const nested = [{ customer: { mail: 'a@b.example' }, email: 'other@b.example' }];
  const list = suggestMappings(entity({ payload_root: '$.payload.customer' }), { payloads: nested, properties: portal });
  expect(brief(list)).toEqual([['$.payload.mail', 'email', 'medium', true]]);
});

test('every suggestion can be saved as it is', () => {
  const deep = { er: { st: { x: { y: 1 } } } };
  const odd = [{ 'a b': 1, "it's": 2, ä: true, at: '2026-01-01T00:00:00Z', on: '2026-01-01', deep }];
  const list = suggestMappings(entity(), { payloads: [...odd, ...payloads, null, 'x', [1]], properties: portal });
  const field_mappings = list.map(({ exists: _e, confidence: _c, reason: _r, seen_in: _s, ...mapping }) => mapping);
  const config = { version: '3.1', entities: [entity({ field_mappings })], flows: [], sources: [] };
  expect(checkConfig(config, { moment: 'save' })).toEqual([]);
  expect(list.length).toBeGreaterThan(8);
});

test('hostile payloads give a bounded answer', () => {
  const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 'x']));
  expect(suggestMappings(entity(), { payloads: [wide, wide], properties: portal }).length).toBeLessThanOrEqual(100);
});
