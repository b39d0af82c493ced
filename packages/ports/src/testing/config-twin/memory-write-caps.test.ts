import { createMemoryConfigStore } from './memory-config-store';
import { writeCapConformance } from '../config-store/write-cap-conformance';

writeCapConformance('the memory twin', async () => {
  const config = createMemoryConfigStore();
  return {
    config,
    store: config.writeCaps,
    other: config.writeCaps,
    hold: async (connectorId) => {
      config.setWaiting(connectorId, true);
      return async () => config.setWaiting(connectorId, false);
    },
    close: async () => undefined,
  };
});
