import { type ConfigDocument, type IngressProfile, patternWords } from '@sluice/contracts';
import { checkConfig } from './check-config';
import { configSchema } from '../document/config-schema';
import { shopConfig } from '../testing/shop-config';

const profile = (more: object = {}): IngressProfile => ({
  auth_header: 'X-Legacy-Key', routes: [{ path: 'orders', event: 'order.created' }], ...more,
});
const withProfile = (ingress_profile: unknown): ConfigDocument => ({ ...shopConfig(), ingress_profile } as ConfigDocument);
const problems = (config: unknown, moment: 'save' | 'publish' = 'save') =>
  checkConfig(config, { moment }).map(({ type, loc }) => `${type} ${loc.slice(2).join('.')}`);
const routes = (...list: unknown[]) => profile({ routes: list });
const resend = (resend_actions: unknown, ...list: unknown[]) =>
  profile({
    resend_actions, routes: [{ path: 'a', event: 'a' }, { path: 'b', event_field: 'kind', events: ['b', 'c'] }, ...list],
  });

describe('an ingress profile', () => {
  it.each<[string, unknown]>([
    ['with what is required', profile()],
    ['with everything', profile({
      max_entities: 500, resend_actions: { 'retry-1': 'order.created', 'retry_2.x': ['order.created'] },
      fallback: { base_url: 'https://old.example.com/api', enabled: false },
      routes: [
        { path: 'api/orders', event: 'order.created', split: 'none' },
        { path: '/API/customers/', event_field: 'meta.kind', events: ['customer.created'], split: 'entities' },
      ],
    })],
    ['whose fallback is none', profile({ fallback: null, resend_actions: {} })],
    ['with paths that only begin like reserved ones', routes(
      { path: 'api/check', event: 'a' }, { path: 'api/resend/all', event: 'a' }, { path: 'check/1', event: 'a' },
      { path: 'api/checks/1', event: 'a' }, { path: 'v1/api/check/1', event: 'a' },
    )],
    ['whose resend actions name events that routes make', resend({ a: 'a', b: ['b', 'c'] })],
    ['whose resend actions name any event, where a route takes any', resend({ a: 'x' }, { path: 'd', event_field: 'kind' })],
  ])('%s may be published', (_title, given) => {
    expect(problems(withProfile(given), 'publish')).toEqual([]);
  });

  it.each<[string, unknown, string[]]>([
    ['no object', 'x', ['type_error ']],
    ['nothing in it', {}, ['missing auth_header', 'missing routes']],
    ['an unknown field', profile({ colour: 'red' }), ['extra_forbidden colour']],
    ['no header name', profile({ auth_header: 'X Key' }), ['value_error auth_header']],
    ['no entities', profile({ max_entities: 0 }), ['value_error max_entities']],
    ['more entities than a call may have', profile({ max_entities: 501 }), ['value_error max_entities']],
    ['half an entity', profile({ max_entities: 1.5 }), ['type_error max_entities']],
    ['no routes', routes(), ['value_error routes']],
    ['a route that is none', routes('orders'), ['type_error routes.0']],
    ['a route without a path', routes({ event: 'a' }), ['missing routes.0.path']],
    ['a route without an event', routes({ path: 'a' }), ['missing routes.0.event']],
    ['a route with both', routes({ path: 'a', event: 'a', event_field: 'b' }), ['value_error routes.0.event_field']],
    ['values of no field', routes({ path: 'a', event: 'a', events: ['b'] }), ['missing routes.0.event_field']],
    ['values without a field, and no event', routes({ path: 'a', events: ['b'] }), [
      'missing routes.0.event', 'missing routes.0.event_field',
    ]],
    ['no values of a field', routes({ path: 'a', event_field: 'b', events: [] }), ['value_error routes.0.events']],
    ['a blank event', routes({ path: 'a', event: ' ' }), ['value_error routes.0.event']],
    ['a reference in place of a field', routes({ path: 'a', event_field: '$.kind' }), ['value_error routes.0.event_field']],
    ['a field with an empty part', routes({ path: 'a', event_field: 'a..b' }), ['value_error routes.0.event_field']],
    ['an unknown split', routes({ path: 'a', event: 'a', split: 'items' }), ['enum routes.0.split']],
    ['an unknown field of a route', routes({ path: 'a', event: 'a', method: 'GET' }), ['extra_forbidden routes.0.method']],
    ['paths that are one', routes(
      { path: 'a/b', event: 'a' }, { path: '/A//b/', event: 'b' }, { path: 'a/c', event: 'c' }, { path: 'A/B', event: 'd' },
    ), ['duplicate_path routes.1.path', 'duplicate_path routes.3.path']],
    ['the path of a check', routes({ path: 'api/check/1', event: 'a' }), ['reserved_path routes.0.path']],
    ['a path below it, in another notation', routes({ path: '//API/Check/x/y', event: 'a' }), ['reserved_path routes.0.path']],
    ['the path of a resend', routes({ path: 'api/resend/all/1', event: 'a' }), ['reserved_path routes.0.path']],
    ['a path below it', routes({ path: '/api/RESEND/all/1/x', event: 'a' }), ['reserved_path routes.0.path']],
    ['a path of slashes', routes({ path: '//', event: 'a' }), ['value_error routes.0.path']],
    ['a path with a query', routes({ path: 'a?b=c', event: 'a' }), ['value_error routes.0.path']],
    ['a path that leads out', routes({ path: 'a/../b', event: 'a' }), ['value_error routes.0.path']],
    ['an action with a space', profile({ resend_actions: { 'a b': 'order.created' } }), ['value_error resend_actions.a b']],
    ['an action with a long name', profile({ resend_actions: { ['a'.repeat(65)]: 'order.created' } }), [
      `value_error resend_actions.${'a'.repeat(65)}`,
    ]],
    ['an action without a name', profile({ resend_actions: { '': 'order.created' } }), ['value_error resend_actions.']],
    ['an action that no path can name', profile({ resend_actions: { '..': 'order.created' } }), [
      'value_error resend_actions...',
    ]],
    ['an action of no event', profile({ resend_actions: { a: [] } }), ['value_error resend_actions.a']],
    ['an action of something else', profile({ resend_actions: { a: 5 } }), ['type_error resend_actions.a']],
    ['an action of an event that no route makes', resend({ a: 'x', b: ['b', 'y'] }), [
      'unproducible_event resend_actions.a', 'unproducible_event resend_actions.b.1',
    ]],
    ['a fallback without an address', profile({ fallback: { enabled: true } }), ['missing fallback.base_url']],
    ['a fallback to nowhere', profile({ fallback: { base_url: '/old' } }), ['url_invalid fallback.base_url']],
    ['a secret in the fallback', profile({ fallback: { base_url: 'https://me:hunter2@old.example' } }), [
      'secret_not_declarable fallback.base_url',
    ]],
    ['a fallback that is switched by a text', profile({ fallback: { base_url: 'https://o.example', enabled: 'yes' } }), [
      'type_error fallback.enabled',
    ]],
  ])('with %s is refused at save and at publish', (_title, given, expected) => {
    const config = withProfile(given);
    expect(problems(config).sort()).toEqual([...expected].sort());
    expect(problems(config, 'publish').sort()).toEqual([...expected].sort());
    expect(JSON.stringify(checkConfig(config, { moment: 'save' }))).not.toContain('hunter2');
  });

  it('leaves no choice of the source: a second event_api is refused, without a profile it is not', () => {
    const config = withProfile(profile());
    config.sources = ['event_api', 'more', 'most'].map((name) => ({ name, type: 'event_api' }));
    const further = [1, 2].map((index) => expect.objectContaining({
      type: 'event_api_not_unique', loc: ['body', 'sources', index, 'type'],
    }) as unknown);
    expect(checkConfig(config, { moment: 'save' })).toEqual(further);
    expect(problems({ ...config, ingress_profile: undefined })).toEqual([]);
    expect(problems({ ...config, sources: [{ name: 'mine', type: 'event_api' }] })).toEqual([]);
  });

  it('is checked with what is sound of it, whatever its shape', () => {
    const junk = [null, 0, 'x', true, [], [null], [{}], {}, { a: null }, { path: {} }];
    for (const name of ['auth_header', 'max_entities', 'routes', 'resend_actions', 'fallback'])
      for (const value of junk)
        expect(Array.isArray(problems(withProfile(profile({ [name]: value })), 'publish'))).toBe(true);
    for (const value of junk) expect(Array.isArray(problems(withProfile(value)))).toBe(true);
  });
});

test('every pattern of the schema has words of its own', () => {
  const patterns = new Set<string>();
  JSON.stringify(configSchema, (key, value: unknown) => {
    if (key === 'pattern' && typeof value === 'string') patterns.add(value);
    return value;
  });
  expect(patterns.size).toBeGreaterThan(2);
  expect([...patterns].filter((pattern) => !Object.hasOwn(patternWords, pattern))).toEqual([]);
});
