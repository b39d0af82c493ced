import { configRoutes, ingestRoutes } from '@sluice/contracts';
import { silentLogger } from '@sluice/ports';
import { createHttpApp } from '@sluice/service-kit';
import request from 'supertest';
import { mountRemovedEndpoints } from './mount-removed-endpoints';

const app = createHttpApp({ routes: [], logger: silentLogger, mount: mountRemovedEndpoints });

test.each([
  ['get', '/api/templates', 'GET /api/v1/templates'],
  ['get', '/api/templates/orders%2F1', 'GET /api/v1/templates/orders%2F1'],
  ['post', '/api/connectors/from-template/orders', 'POST /api/v1/connectors/from-template/orders'],
  ['get', '/api/connectors/c1/config', 'PUT /api/connectors/c1/draft'],
  ['post', '/api/connectors/c1/validate', 'GET /api/connectors/c1/preflight'],
  ['get', '/api/billing/me', 'GET /api/v1/billing/me'],
  ['post', '/api/events', 'POST /api/v1/events'],
] as const)('%s %s is gone, and %s is named', async (method, path, replacement) => {
  const answer = await request(app)[method](path);
  expect([answer.status, answer.body]).toEqual([410, { detail: { error: 'endpoint_removed', replacement } }]);
});

test('no present path is among them, and every replacement is a present path', async () => {
  const all = [configRoutes, ingestRoutes].flatMap((group) => Object.values(group as Record<string, object>));
  const routes = all.filter((one): one is { method: string; path: string } => typeof one === 'object' && 'path' in one);
  expect(routes.length).toBeGreaterThan(50);
  for (const { path } of routes) expect((await request(app).get(path.replaceAll(/:\w+/g, 'x'))).status).toBe(404);
  const known = routes.map(({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/:\w+/g, 'x')}`);
  for (const path of ['/api/templates', '/api/templates/x', '/api/connectors/from-template/x', '/api/connectors/x/config',
    '/api/connectors/x/validate', '/api/billing/me', '/api/events'])
    expect(known).toContain((await request(app).get(path)).body.detail.replacement);
});
