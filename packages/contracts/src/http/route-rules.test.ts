import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020';
import * as contracts from '..';
import { errorCodes, patternWords, type RouteContract } from '..';

/** Rules that hold for every route of every plane: a new one is checked by being exported. */
const routes = Object.entries(contracts)
  .filter(([name]) => name.endsWith('Routes'))
  .flatMap(([, group]) => Object.values(group as Record<string, unknown>))
  .filter(
    (value): value is RouteContract => typeof value === 'object' && value !== null && 'method' in value && 'answers' in value,
  );

const ajv = addFormats(
  new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true, allowUnionTypes: true }),
);
const cases = routes.map((route) => [route.name, route] as const);

test('there are routes, and each name and each method with path is taken once', () => {
  expect(routes.length).toBeGreaterThan(20);
  expect(new Set(routes.map(({ name }) => name)).size).toBe(routes.length);
  expect(new Set(routes.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`)).size).toBe(routes.length);
});

describe.each(cases)('%s', (_name, route) => {
  test('has a proper name, known error codes and success codes only', () => {
    expect(route.name).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(route.errors.filter((code) => !(code in errorCodes))).toEqual([]);
    expect(Object.keys(route.answers).filter((status) => !/^[23]\d\d$/.test(status))).toEqual([]);
    expect(Object.keys(route.answers)).not.toEqual([]);
  });

  test('declares its audit entry, unless a tenant only reads with it', () => {
    const { audit, auth, method, params } = route;
    const onConfigPlane = !['connector_key', 'signature', 'compat_key'].includes(auth);
    const readByOperator = method === 'get' && auth === 'operator';
    if (audit?.read) expect(method).toBe('get');
    else if (!readByOperator) expect(audit === undefined).toBe(method === 'get' || !onConfigPlane);
    if (!audit) return;
    expect(audit.action).toMatch(/^[a-z_]+(\.[a-z_]+){1,2}$/);
    if (audit.param !== undefined)
      expect(Object.keys((params as { properties?: object }).properties ?? {})).toContain(audit.param);
  });

  test('signs browsers of this site alone in and out', () => {
    const opens = Object.values(route.answers).some(({ description }) => description.includes('sluice_refresh'));
    const signsIn = opens || route.path.startsWith('/api/auth/');
    if (signsIn && route.method !== 'get') expect(route.sameSite).toBe(true);
  });

  test('describes exactly the parameters of its path', () => {
    const inPath = [...route.path.matchAll(/[:*](\w+)/g)].map(([, name]) => name).sort();
    const { properties = {}, required = [] } = (route.params ?? {}) as { properties?: object; required?: string[] };
    expect(Object.keys(properties).sort()).toEqual(inPath);
    expect([...required].sort()).toEqual(inPath);
  });

  test('has schemas that compile, with object bodies closed or open on purpose', () => {
    const schemas = [route.params, route.query, route.body, ...Object.values(route.answers).map(({ schema }) => schema)];
    for (const schema of schemas.filter((one) => one !== undefined)) ajv.compile(schema as object);
    const { type, additionalProperties } = (route.body ?? {}) as { type?: unknown; additionalProperties?: unknown };
    if (type === 'object') expect(additionalProperties).toBeDefined();
  });

  test('declares its secrets, and asks for texts in words', () => {
    const { body, form, secretFields = [] } = route;
    const namesIn = (schema: unknown): string[] => Object.keys((schema as { properties?: object } | undefined)?.properties ?? {});
    const names = [body, form?.fields].flatMap(namesIn);
    expect(secretFields.filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name) => secretName.test(name) && !secretFields.includes(name))).toEqual([]);
    const patterns = [route.params, route.query, body, form?.fields].flatMap((schema) => patternsIn(schema));
    expect(patterns.filter((pattern) => !Object.hasOwn(patternWords, pattern))).toEqual([]);
  });

  test('streams what its content types say', () => {
    const { body, form, upload, answers } = route;
    if (form) ajv.compile(form.fields as object);
    if (upload) expect([body, form, upload.contentTypes.length > 0]).toEqual([undefined, undefined, true]);
    for (const { stream, schema, contentType, events = {} } of Object.values(answers)) {
      for (const event of Object.values(events)) ajv.compile(event.schema as object);
      if (stream !== undefined) expect(schema).toBeUndefined();
      if (stream === 'file') expect(contentType).toMatch(/^[a-z]+\//);
      expect(Object.keys(events).length > 0).toBe(stream === 'events');
    }
  });

  test('has examples that pass its schemas', () => {
    for (const { title, body, answer, status } of route.examples ?? []) {
      if (body !== undefined) expect([title, ...problems(route.body, body)]).toEqual([title]);
      const [only] = Object.keys(route.answers);
      if (answer !== undefined)
        expect([title, ...problems(route.answers[status ?? Number(only)]?.schema, answer)]).toEqual([title]);
    }
  });
});

/** How a field is named that carries a secret. `Idempotency-Key` and labels of keys are none. */
const secretName = /password|secret|(?:^|_)(?:token|code)$|^raw_key$/;

function patternsIn(schema: unknown): string[] {
  if (schema === null || typeof schema !== 'object') return [];
  const { pattern } = schema as { pattern?: unknown };
  return [...(typeof pattern === 'string' ? [pattern] : []), ...Object.values(schema).flatMap(patternsIn)];
}

function problems(schema: RouteContract['body'], value: unknown): string[] {
  const check = ajv.compile((schema ?? false) as object);
  return check(value) ? [] : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
