import { createMemoryKeyValue } from '@sluice/kv-memory';
import { silentLogger } from '@sluice/ports';
import { createHealth, createLifecycle, createMetrics, parseSettings, type SharedProcess } from '@sluice/service-kit';
import { commonSettings, networkSettings } from '@sluice/service-kit';
import { Announcement } from './announcement';
import { type ProductContext, productService } from './product-service';

const settings = { ...commonSettings, ...networkSettings } as const;
const portal = '1000001';

/** Composes a service as its process would. */
function composed(env: Record<string, string> = {}, shared?: SharedProcess, kv = createMemoryKeyValue()) {
  let given: ProductContext<unknown> | undefined;
  const service = productService({
    name: 'a-service', version: '7', settings, required: () => [], callsCrm: true,
    openParts: () => ({ kv }),
    compose: (_parts, context) => {
      given = context;
      return {};
    },
  });
  const lifecycle = createLifecycle({ name: 'test', logger: silentLogger });
  service.compose({ kv }, {
    settings: parseSettings(settings, env), logger: silentLogger, metrics: createMetrics({ service: 'a-service' }),
    health: createHealth(), lifecycle, shared,
  });
  return { context: given!, lifecycle };
}

test('the public URL is the setting, else of the port, else of the process that several services share', () => {
  expect(composed({ SLUICE_PUBLIC_URL: 'https://sluice.example.com/' }).context.publicUrl).toBe('https://sluice.example.com');
  expect(composed({ SLUICE_PORT: '8081' }).context.publicUrl).toBe('http://localhost:8081');
  const shared = { installation: 'i', publicUrl: 'https://front.example.com', services: () => [] };
  const elsewhere = { SLUICE_PUBLIC_URL: 'https://other.example.com' };
  expect(composed(elsewhere, shared).context.publicUrl).toBe('https://front.example.com');
});

test('a process of its own is announced while it runs; of a shared process that one knows who runs', async () => {
  const kv = createMemoryKeyValue();
  const alone = composed({}, undefined, kv);
  await alone.lifecycle.start();
  while ((await alone.context.instances.all()).length === 0) await new Promise(setImmediate);
  expect(await alone.context.instances.all()).toEqual([{ name: 'a-service', version: '7', uptime_seconds: 0 }]);
  await alone.lifecycle.stop('test');
  expect(await alone.context.instances.all()).toEqual([]);

  const everybody = [{ name: 'x', version: '1', uptime_seconds: 3 }];
  const shared = { installation: 'i', publicUrl: 'http://localhost', services: () => everybody };
  const { context, lifecycle } = composed({}, shared, kv);
  await lifecycle.start();
  expect([await context.instances.all(), context.instances.self().name]).toEqual([everybody, 'a-service']);
  await new Promise(setImmediate);
  expect(await alone.context.instances.all()).toEqual([]);
  await lifecycle.stop('test');
});

test('while Redis is away a process takes its share of a portal\'s calls, by all that call the CRM', async () => {
  let away = false;
  const kv = createMemoryKeyValue({ unavailable: () => away });
  const runners = [1, 2, 3].map(() =>
    new Announcement({ kv, name: 'flow-runner', version: '1', callsCrm: true, logger: silentLogger }));
  for (const runner of runners) runner.start();
  const { context, lifecycle } = composed({}, undefined, kv);
  while ((await context.instances.all()).length < 3) await new Promise(setImmediate);
  await lifecycle.start();
  while (context.instances.crmCallers() !== 4) await new Promise(setImmediate);
  away = true;
  // 95 % of 100 calls in ten seconds are used; a quarter of them is for this process.
  context.portalBudget.apply(portal, { max: 100, remaining: 100, intervalMs: 10_000 });
  let granted = 0;
  while ((await context.portalBudget.take(portal, 'write', 'live')) === 0) granted += 1;
  expect(granted).toBe(23);
  await lifecycle.stop('test');
  for (const runner of runners) await runner.stop();
});
