import { breakerStoreConformance } from './breaker-store-conformance';
import { createMemoryBreakerStore } from './memory-breaker-store';

breakerStoreConformance('the memory twin', async () => {
  const store = createMemoryBreakerStore();
  return {
    store, other: store,
    ended: async (connectorId, flowName, count) => store.ended(connectorId, flowName, count),
    close: async () => undefined,
  };
});
