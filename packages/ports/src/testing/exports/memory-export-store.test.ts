import { randomUUID } from 'node:crypto';
import { exportStoreConformance } from './export-store-conformance';
import { createMemoryExportStore } from './memory-export-store';
import { createMemoryTaskStore } from '../stores/memory-task-store';

exportStoreConformance('the in-memory export store', async () => {
  const connectors = new Map<string, string>();
  const closed = new Set<string>();
  const tasks = createMemoryTaskStore();
  let now = Date.now();
  const store = createMemoryExportStore({
    scopes: {
      isConnector: (organizationId, id) => connectors.get(id) === organizationId,
      stateOf: (organizationId) => (closed.has(organizationId) ? 'closed' : 'active'),
    },
    now: () => (now += 1),
    addTask: (task) => void tasks.ensure([task]),
    assertFence: (fence) => tasks.assertFence(fence),
  });
  return {
    store,
    tasks,
    organization: async () => randomUUID(),
    connector: async (organizationId) => {
      const id = randomUUID();
      connectors.set(id, organizationId);
      return id;
    },
    deleteConnector: async (organizationId, id) => {
      connectors.delete(id);
      store.connectorDeleted(organizationId, id);
    },
    closeOrganization: async (organizationId) => void closed.add(organizationId),
    passTime: async (_, ms) => void (now += ms),
    close: async () => undefined,
  };
});
