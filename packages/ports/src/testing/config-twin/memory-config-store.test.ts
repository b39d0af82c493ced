import { StoreUnavailable } from '../../shared/store-unavailable';
import { configStoreConformance } from '../config-store/config-store-conformance';
import type { ConfigStoreLab } from '../config-store/config-store-lab';
import { createMemoryConfigStore } from './memory-config-store';
import { createMemoryTaskStore } from '../stores/memory-task-store';

async function memoryLab(): Promise<ConfigStoreLab> {
  const tasks = createMemoryTaskStore();
  const store = createMemoryConfigStore({ assertFence: (fence) => tasks.assertFence(fence) });
  return {
    store, other: store, tasks,
    addMember: async (...member) => store.addMember(...member),
    addMappings: async (connectorId, count) => store.setMappings(connectorId, count),
    mappings: async (connectorId) => store.mappingCount(connectorId),
    close: async () => undefined,
  };
}

configStoreConformance('the memory twin', memoryLab);

describe('createMemoryConfigStore', () => {
  it('throws StoreUnavailable while it is down, and goes on where it was', async () => {
    const store = createMemoryConfigStore();
    await store.accounts.create({ email: 'a@x.co', passwordHash: 'x', organizationName: 'Shop', tier: 'free' });
    store.setDown(true);
    await expect(store.accounts.userByEmail('a@x.co')).rejects.toBeInstanceOf(StoreUnavailable);
    store.setDown(false);
    expect(await store.accounts.userByEmail('a@x.co')).toMatchObject({ email: 'a@x.co' });
  });
});
