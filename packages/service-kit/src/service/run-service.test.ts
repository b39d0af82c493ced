import { type AddressInfo, createServer } from 'node:net';
import { commonSettings, defineSettings, networkSettings } from '../settings';
import { defineService } from './define-service';
import { composeAlone } from './run-service';

const settings = defineSettings({
  ...commonSettings,
  ...networkSettings,
  shop: { env: 'SHOP', type: 'string', description: 'A shop.' },
});

function unusedPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** A service that notes what is done with it. */
function noted(withRoutes = false) {
  const told: string[] = [];
  const service = defineService({
    name: 'noted', version: '1', settings,
    required: (env) => (env.SHOP_OPTIONAL ? [] : ['shop']),
    openParts: ({ lifecycle }) => {
      lifecycle.add('store', () => void told.push('store starts'), () => void told.push('store stops'));
      return { store: 'its own' };
    },
    compose: ({ store }, { settings: { shop }, lifecycle, health, shared }) => {
      told.push(`composed on ${store} for ${shop}${shared ? ' with others' : ''}`);
      lifecycle.add('work', () => void told.push('work starts'), () => void told.push('work stops'));
      health.add('work', () => ({ ok: true }));
      return withRoutes ? { handle: (_request, response) => void response.end('a route') } : {};
    },
  });
  return { service, told };
}
const env = { SHOP: 'A', SLUICE_PORT: '0', SLUICE_LOG_LEVEL: 'error' };

test('a process of its own opens the parts, composes, serves and stops from the outside in', async () => {
  const { service, told } = noted(true);
  const { lifecycle, port } = composeAlone(service, env);
  await lifecycle.start();
  expect(await (await fetch(`http://127.0.0.1:${port()}/`)).text()).toBe('a route');
  expect(await lifecycle.stop('test')).toEqual({ clean: true });
  expect(told).toEqual(['composed on its own for A', 'store starts', 'work starts', 'work stops', 'store stops']);
});

test('a service without routes answers for its health', async () => {
  const { lifecycle, port } = composeAlone(noted().service, env);
  await lifecycle.start();
  const ready = await fetch(`http://127.0.0.1:${port()}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([200, { checks: { work: { ok: true } } }]);
  await lifecycle.stop('test');
});

test('with a port of its own for metrics the port of the routes serves neither health nor metrics', async () => {
  const metricsPort = await unusedPort();
  const { lifecycle, port } = composeAlone(noted(true).service, { ...env, SLUICE_METRICS_PORT: String(metricsPort) });
  await lifecycle.start();
  for (const path of ['/livez', '/readyz', '/metrics']) {
    expect(await (await fetch(`http://127.0.0.1:${port()}${path}`)).text()).toBe('a route');
    expect((await fetch(`http://127.0.0.1:${metricsPort}${path}`)).status).toBe(200);
  }
  expect((await fetch(`http://127.0.0.1:${metricsPort}/`)).status).toBe(404);
  expect(await lifecycle.stop('test')).toEqual({ clean: true });
});

test('settings that the service cannot do without are named before anything is opened', () => {
  const { service, told } = noted();
  expect(() => composeAlone(service, { SLUICE_PORT: 'x' })).toThrow(
    /SHOP is required[^]*SLUICE_PORT|SLUICE_PORT[^]*SHOP is required/,
  );
  expect(told).toEqual([]);
});
