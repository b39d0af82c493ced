import { createMemoryConfigStore } from './memory-config-store';
import { createMemoryRunStore } from './memory-run-store';
import { createMemoryTaskStore } from './memory-task-store';
import { pluginConformance } from './plugin-conformance';

pluginConformance('the memory twin', async () => {
  const tasks = createMemoryTaskStore();
  const store = createMemoryConfigStore({ tasks });
  return {
    store, tasks, work: store.pluginWork, runs: store.pluginRuns, runStore: createMemoryRunStore(Date.now, store.pluginRuns),
    close: async () => undefined,
  };
});
