import { configRoutes, defineRoute } from '@sluice/contracts';
import { silentLogger } from '@sluice/ports';
import request from 'supertest';
import { createHealth } from '../observe/create-health';
import { createMetrics } from '../observe/create-metrics';
import { createHttpApp } from './create-http-app';
import { apiError } from './http-error';
import { implementRoute } from './implement-route';

const putThing = defineRoute({
  name: 'put_thing', method: 'put', path: '/things/:id', tag: 'Things', summary: 'Put', auth: 'config', bodyLimit: 100,
  params: { type: 'object', required: ['id'], properties: { id: { type: 'string', maxLength: 5 } } },
  query: { type: 'object', additionalProperties: false, properties: { limit: { type: 'integer', maximum: 10, default: 3 }, dry: { type: 'boolean' } } },
  body: { type: 'object', required: ['name'], additionalProperties: false, properties: { name: { type: 'string', maxLength: 8 }, count: { type: 'integer' } } },
  answers: { 200: { description: 'ok', schema: { type: 'object', additionalProperties: false, required: ['echo'], properties: { echo: {} } } } },
  errors: [],
});

const listConnectors = implementRoute(configRoutes.listConnectors, {
  authenticate: () => ({ org: 'o' }),
  handler: ({ query, principal }) => ({ status: 200, body: { items: [], total: query.limit, org: principal.org } }),
});
const createConnector = implementRoute(configRoutes.createConnector, {
  authenticate: () => null,
  handler: ({ body }) => ({ status: 201, body: { name: body.name.trim(), key: body.create_api_key } }),
});

function app(validateAnswers = false) {
  const things = implementRoute(putThing, {
    authenticate: (incoming) => {
      if (!incoming.headers.authorization) throw apiError('Not authenticated', {}, { 'WWW-Authenticate': 'Bearer' });
      return 'me';
    },
    handler: async ({ body, query, params, principal, wide }) => {
      wide.add({ thing: params.id });
      if (body.name === 'bug') throw new Error('secret words');
      if (body.name === 'wrong') return { status: 200, body: { other: 1 } };
      return { status: 200, body: { echo: { name: body.name, limit: query.limit, dry: query.dry, id: params.id, principal } } };
    },
  });
  return createHttpApp({ routes: [things, listConnectors, createConnector], logger: silentLogger, health: createHealth(), metrics: createMetrics({ service: 'test' }), validateAnswers });
}
const put = (path = '/things/a') => request(app()).put(path).set('authorization', 'Bearer x');

test('gives the handler typed, coerced and defaulted input', async () => {
  const { status, body } = await put('/things/a?dry=true').send({ name: 'x' });
  expect([status, body]).toEqual([200, { echo: { name: 'x', limit: 3, dry: true, id: 'a', principal: 'me' } }]);
});

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
