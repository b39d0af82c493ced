import { eventBusConformance } from '@sluice/ports/testing';
import type { EventBus } from '@sluice/ports';
import { cutProxy, type CutProxy, testDatabase } from '@sluice/testkit';
import { createEmbeddedBus } from './create-embedded-bus';

eventBusConformance('the bus on embedded Postgres', async () => {
  const database = await testDatabase();
  const proxies = new Map<EventBus, CutProxy>();
  return {
    open: async (options) => {
      const url = new URL(database.url);
      const proxy = await cutProxy(Number(url.port));
      url.port = String(proxy.port);
      const bus = createEmbeddedBus({ connectionString: url.href, leaseMs: 3_000, ...options });
      proxies.set(bus, proxy);
      return bus;
    },
    crash: async (bus) => proxies.get(bus)?.cut(),
    close: async () => {
      await Promise.all([...proxies.values()].map((proxy) => proxy.stop()));
      await database.drop();
    },
  };
});
