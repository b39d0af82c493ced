import { createMemoryTaskStore } from './memory-task-store';
import { taskStoreConformance } from './task-store-conformance';

taskStoreConformance('the memory twin', async () => {
  const store = createMemoryTaskStore();
  return {
    store,
    other: store,
    write: async (fence, hold) => {
      store.assertFence(fence);
      await hold;
    },
    close: async () => undefined,
  };
});
