import { createMemoryConfigStore } from '../config-twin/memory-config-store';
import { createMemoryRunStore } from '../run-store/memory-run-store';
import { createMemoryTaskStore } from '../stores/memory-task-store';
import { pluginConformance } from './plugin-conformance';

pluginConformance('the memory twin', async () => {
  const tasks = createMemoryTaskStore();
  const store = createMemoryConfigStore({ tasks });
  return {
    store, tasks, work: store.pluginWork, runs: store.pluginRuns, runStore: createMemoryRunStore(Date.now, store.pluginRuns),
    close: async () => undefined,
  };
});
