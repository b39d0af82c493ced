import { configRoutes, defineRoute } from '@sluice/contracts';
import { silentLogger, StoreUnavailable } from '@sluice/ports';
import request from 'supertest';
import { createMetrics } from '../../../observe/create-metrics';
import { apiError } from '../../errors/http-error';
import { createHttpApp } from '../create-http-app';
import { implementRoute } from '../implement-route';

export const putThing = defineRoute({
  name: 'put_thing',
  method: 'put',
  path: '/things/:id',
  tag: 'Things',
  summary: 'Put',
  auth: 'config',
  bodyLimit: 100,
  params: { type: 'object', required: ['id'], properties: { id: { type: 'string', maxLength: 5 } } },
  query: {
    type: 'object',
    additionalProperties: false,
    properties: { limit: { type: 'integer', maximum: 10, default: 3 }, dry: { type: 'boolean' } },
  },
  body: {
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: { name: { type: 'string', maxLength: 8 }, count: { type: 'integer' } },
  },
  answers: {
    200: {
      description: 'ok',
      schema: { type: 'object', additionalProperties: false, required: ['echo'], properties: { echo: {} } },
    },
  },
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

/** An app with a route whose contract has every kind of input, and two of the product. */
export function app(validateAnswers = false, metrics = createMetrics({ service: 'test' })) {
  const things = implementRoute(putThing, {
    authenticate: (incoming) => {
      if (!incoming.headers.authorization) throw apiError('Not authenticated', {}, { 'WWW-Authenticate': 'Bearer' });
      return 'me';
    },
    handler: async ({ body, query, params, principal, wide }) => {
      wide.add({ thing: params.id });
      if (body.name === 'bug') throw new Error('secret words');
      if (body.name === 'outage') throw new StoreUnavailable('connect ECONNREFUSED db:5432');
      if (body.name === 'wrong') return { status: 200, body: { other: 1 } };
      return { status: 200, body: { echo: { name: body.name, limit: query.limit, dry: query.dry, id: params.id, principal } } };
    },
  });
  return createHttpApp({
    routes: [things, listConnectors, createConnector],
    logger: silentLogger,
    metrics,
    validateAnswers,
  });
}
export const put = (path = '/things/a') => request(app()).put(path).set('authorization', 'Bearer x');
