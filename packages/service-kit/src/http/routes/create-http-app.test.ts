import { configRoutes, defineRoute } from '@sluice/contracts';
import { silentLogger } from '@sluice/ports';
import request from 'supertest';
import { createMetrics } from '../../observe/create-metrics';
import { injectTrace, setupTracing } from '../../observe/tracing';
import { createHttpApp } from './create-http-app';
import { implementRoute } from './implement-route';
import { app, put, putThing } from './test-support/things-app';


test('gives the handler typed, coerced and defaulted input', async () => {
  const { status, body } = await put('/things/a?dry=true').send({ name: 'x' });
  expect([status, body]).toEqual([200, { echo: { name: 'x', limit: 3, dry: true, id: 'a', principal: 'me' } }]);
});

test('no answer of a route may be cached, errors included', async () => {
  for (const sent of [put().send({ name: 'x' }), put().send({}), request(app()).put('/things/a')])
    expect((await sent).headers['cache-control']).toBe('no-store');
});

test.each(['constructor', '__proto__', 'zstd'])(
  'the content coding %s is refused on every route, with or without a body',
  async (coding) => {
    const asked = [put().send({ name: 'x' }), request(app()).get('/api/connectors')];
    for (const sent of asked) {
      const { status, body } = await sent.set('content-encoding', coding);
      expect([status, body]).toEqual([415, { detail: 'Unsupported content encoding' }]);
    }
    expect((await request(app()).get('/api/connectors').set('content-encoding', 'gzip')).status).toBe(200);
  },
);

test('lists the problems of path, query and body at once', async () => {
  const { status, body } = await put('/things/toolong?limit=x&nope=1').send({ count: 1.5, more: true });
  expect(status).toBe(422);
  expect(body.detail.map(({ type, loc }: { type: string; loc: unknown[] }) => [type, ...loc])).toEqual([
    ['string_too_long', 'path', 'id'],
    ['extra_forbidden', 'query', 'nope'],
    ['int_parsing', 'query', 'limit'],
    ['missing', 'body', 'name'],
    ['extra_forbidden', 'body', 'more'],
    ['int_from_float', 'body', 'count'],
  ]);
});

test('authenticates before it reads the body', async () => {
  const answer = await request(app()).put('/things/a').type('json').send('{"broken"');
  expect([answer.status, answer.body, answer.headers['www-authenticate']]).toEqual([
    401,
    { detail: 'Not authenticated' },
    'Bearer',
  ]);
});

test('refuses a body of one byte over the limit, and only that', async () => {
  const fits = `{"name":"x"}${' '.repeat(88)}`;
  expect((await put().type('json').send(fits)).status).toBe(200);
  const { status, body } = await put().type('json').send(`${fits} `);
  expect([status, body]).toEqual([413, { detail: { error: 'payload_too_large', limit_bytes: 100 } }]);
});

test.each(['{"name"', '\u0001', '{"name":"x"} y'])('answers 400 to %j', async (text) => {
  const { status, body } = await put().type('json').send(text);
  expect([status, body]).toEqual([400, { detail: 'Malformed JSON' }]);
});

test('refuses bytes that are not UTF-8', async () => {
  const { status, body } = await put()
    .type('json')
    .serialize(((value: unknown) => value) as never)
    .send(Buffer.from([0x22, 0xff, 0x22]) as never);
  expect([status, body]).toEqual([400, { detail: 'Malformed JSON' }]);
});

test('names a missing body', async () => {
  const { status, body } = await put();
  expect([status, body.detail]).toEqual([422, [{ type: 'missing', loc: ['body'], msg: 'A body is required', input: null }]]);
});

test('names a body of another type', async () => {
  const { body } = await put().type('json').send('[1]');
  expect(body.detail).toEqual([{ type: 'dict_type', loc: ['body'], msg: 'Input should be a valid object', input: [1] }]);
});

test('echoes a well-formed request id and replaces any other', async () => {
  expect((await put().set('x-request-id', 'abc-1.2_Z')).headers['x-request-id']).toBe('abc-1.2_Z');
  for (const bad of ['a b', 'x'.repeat(129), 'a/b']) {
    expect((await put().set('x-request-id', bad)).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test('logs a bug and shows only its request id to the client', async () => {
  const answer = await put().send({ name: 'bug' });
  expect([answer.status, answer.body]).toEqual([500, { detail: 'internal_error', request_id: answer.headers['x-request-id'] }]);
});

test('an unavailable store is 503 with Retry-After', async () => {
  const { status, body, headers } = await put().send({ name: 'outage' });
  expect([status, body, headers['retry-after']]).toEqual([503, { detail: { error: 'service_unavailable' } }, '1']);
});

test('answers 404 to an unknown path and 405 with Allow to a known one', async () => {
  const missing = await request(app()).get('/nothing');
  expect([missing.status, missing.body]).toEqual([404, { detail: 'Not Found' }]);
  const wrong = await request(app()).delete('/api/connectors');
  expect([wrong.status, wrong.body, wrong.headers.allow]).toEqual([405, { detail: 'Method Not Allowed' }, 'GET, HEAD, POST']);
});

test('answers 400 to a path that cannot be decoded', async () => {
  const { status, body } = await put('/things/%ff');
  expect([status, body]).toEqual([400, { detail: 'Bad Request' }]);
});

test('sends the headers of helmet, and no header that names the server', async () => {
  const { headers } = await put();
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['x-powered-by']).toBeUndefined();
});

test('counts requests by route, never by path', async () => {
  const metrics = createMetrics({ service: 'test' });
  const one = app(false, metrics);
  await request(one).put('/things/abc').set('authorization', 'x').send({ name: 'x' });
  await request(one).get('/secret-path');
  const text = await metrics.render();
  expect(text).toContain(
    'sluice_http_request_duration_seconds_count{method="PUT",service="test",route="put_thing",status="200"} 1',
  );
  expect(text).toContain('route="not_found",status="404"');
  expect(text).not.toContain('secret-path');
});

test('checks answers against the contract when asked to', async () => {
  const strict = await request(app(true)).put('/things/a').set('authorization', 'x').send({ name: 'wrong' });
  expect([strict.status, strict.body.bug]).toEqual([
    500,
    'route put_thing answered 200 against its contract: body.echo: Field required: echo; body.other: Extra inputs are not permitted',
  ]);
  expect((await put().send({ name: 'wrong' })).body).toEqual({ other: 1 });
});

test('writes one log line per request, with what the handler added', async () => {
  const lines: unknown[] = [];
  const logger = { ...silentLogger, info: (message: string, fields?: object) => void lines.push({ message, ...fields }) };
  const route = implementRoute(configRoutes.listConnectors, {
    authenticate: () => null,
    handler: ({ wide }) => (wide.add({ connector_id: 'c1' }), { status: 200, body: {} }),
  });
  await request(createHttpApp({ routes: [route], logger })).get('/api/connectors?limit=2').set('x-request-id', 'r1');
  expect(lines).toEqual([
    {
      message: 'request',
      request_id: 'r1',
      method: 'GET',
      path: '/api/connectors',
      address: '127.0.0.1',
      route: 'list_connectors',
      status: 200,
      connector_id: 'c1',
      duration_ms: expect.any(Number),
    },
  ]);
});

test('the log line of an unknown path has only its beginning', async () => {
  const lines: { path?: string }[] = [];
  const logger = { ...silentLogger, info: (_message: string, fields: object = {}) => void lines.push(fields) };
  await request(createHttpApp({ routes: [], logger })).get(`/${'x'.repeat(10_000)}`);
  expect(lines.map(({ path }) => path?.length)).toEqual([256]);
});

test('refuses a body that is nested too deep to be handled, and no other', async () => {
  const nested = (depth: number) => `{"name":"x","more":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const wide = defineRoute({ ...putThing, bodyLimit: 1_000_000 });
  const built = createHttpApp({
    routes: [implementRoute(wide, { authenticate: () => null, handler: () => ({ status: 200, body: {} }) })],
    logger: silentLogger,
  });
  const types = async (text: string) =>
    (await request(built).put('/things/a').type('json').send(text)).body.detail.map(({ type }: { type: string }) => type);
  expect(await types(nested(199))).toEqual(['extra_forbidden']);
  expect(await types(nested(100_000))).toEqual(['value_error']);
  expect(await types(`{"name":"x","more":"${'[{'.repeat(500)}\\"${'['.repeat(500)}"}`)).toEqual(['extra_forbidden']);
});

test('continues the trace of the caller', async () => {
  setupTracing();
  const route = implementRoute(configRoutes.listConnectors, {
    authenticate: () => null,
    handler: async () => (await new Promise(setImmediate), { status: 200, body: injectTrace({}) }),
  });
  const { body } = await request(createHttpApp({ routes: [route], logger: silentLogger }))
    .get('/api/connectors')
    .set('traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01');
  expect(body.traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-/);
});

test('finds fixed paths before parameters, in any order of routes', async () => {
  const get = (name: string, path: string) =>
    implementRoute(
      defineRoute({
        name,
        method: 'get',
        path,
        tag: 't',
        summary: 's',
        auth: 'none',
        answers: { 200: { description: 'ok' } },
        errors: [],
      }),
      { handler: () => ({ status: 200, body: name }) },
    );
  const built = createHttpApp({ routes: [get('by_id', '/a/:id'), get('fixed', '/a/fixed')], logger: silentLogger });
  expect((await request(built).get('/a/fixed')).body).toBe('fixed');
  expect((await request(built).get('/a/other')).body).toBe('by_id');
  expect(() => createHttpApp({ routes: [get('one', '/a'), get('two', '/a')], logger: silentLogger })).toThrow(
    'two routes for GET /a',
  );
});

test('does not publish a route that needs a caller without authenticate', () => {
  expect(() => implementRoute(putThing, { handler: () => ({ status: 200 }) })).toThrow('needs authenticate');
});

test('text that no store can hold is refused everywhere, also in names of fields', async () => {
  const open = defineRoute({
    name: 'put_open', method: 'put', path: '/open', tag: 'Things', summary: 'Put', auth: 'none',
    query: { type: 'object', properties: { q: { type: 'string' } } }, body: { type: 'object', additionalProperties: true },
    answers: { 200: { description: 'ok' } }, errors: [],
  });
  const server = createHttpApp({ routes: [implementRoute(open, { handler: () => ({ status: 200 }) })], logger: silentLogger });
  const { status, body } = await request(server).put('/open?q=a%00').set('content-type', 'application/json')
    .send('{"a": {"b": ["fine", "x\\u0000"]}, "half": "\\ud800", "pair": "\\ud83d\\ude00", "name\\u0000": 1}');
  expect(status).toBe(422);
  expect(body.detail.map(({ type, loc }: { type: string; loc: unknown[] }) => [type, ...loc])).toEqual([
    ['string_unicode', 'query', 'q'],
    ['string_unicode', 'body', 'a', 'b', 1],
    ['string_unicode', 'body', 'half'],
    ['string_unicode', 'body'],
  ]);
  expect((await request(server).put('/open').send({ pair: '😀' })).status).toBe(200);
});
