import { createPortalBudget } from '@sluice/crm-writer';
import { createMemoryKeyValue } from '@sluice/kv-memory';
import { type KeyValue, type Logger, silentLogger } from '@sluice/ports';
import { createHealth, createLifecycle, createMetrics, createMonotonicClock, type Lifecycle } from '@sluice/service-kit';
import type { ServiceInstance } from '../announcement';
import { type ProductContext, publicUrlOf } from '../product-service';

/** What a service is composed with in a test: it is the only one that runs, and announced to nobody. */
export function testContext<S extends object>(
  name: string, settings: S, { kv = createMemoryKeyValue(), logger = silentLogger }: { kv?: KeyValue; logger?: Logger } = {},
): ProductContext<S> & { lifecycle: Lifecycle } {
  const self: ServiceInstance = { name, version: '0.0.0', uptime_seconds: 0 };
  return {
    settings, logger,
    metrics: createMetrics({ service: name }),
    health: createHealth(),
    lifecycle: createLifecycle({ name, logger: silentLogger }),
    publicUrl: publicUrlOf({ settings }),
    instances: { all: () => Promise.resolve([self]), self: () => self, crmCallers: () => 1 },
    portalBudget: createPortalBudget({ kv, monotonicNow: createMonotonicClock(), sharers: () => 1 }),
  };
}
