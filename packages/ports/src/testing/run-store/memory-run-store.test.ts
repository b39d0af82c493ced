import { StoreUnavailable } from '../../shared/store-unavailable';
import { eventIndexConformance } from './event-index-conformance';
import { createMemoryEventIndex } from './memory-event-index';
import { createMemoryRunStore } from './memory-run-store';
import { runStoreConformance } from './run-store-conformance';
import type { RunStoreLab } from './run-store-lab';

async function memoryLab(): Promise<RunStoreLab> {
  const store = createMemoryRunStore();
  const connections = { store: store.connect(), other: store.connect() };
  return {
    store: { ...store, ownership: connections.store.ownership },
    other: { ...store, ownership: connections.other.ownership },
    endSessions: async (of) => connections[of].end(),
    conflicts: store.conflicts,
    breakers: store.breakers,
    index: createMemoryEventIndex(store),
    keeping: (retention) => createMemoryEventIndex(store, Date.now, retention),
    bind: async (connectorId, epoch) => store.bind(connectorId, epoch),
    backup: async () => {
      const putBack = store.backup();
      return async () => putBack();
    },
    close: async () => undefined,
  };
}

runStoreConformance('the memory twin', memoryLab);
eventIndexConformance('the memory twin', memoryLab);

describe('createMemoryRunStore', () => {
  it('throws StoreUnavailable while it is down, and goes on where it was', async () => {
    const store = createMemoryRunStore();
    store.setDown(true);
    await expect(store.finished([])).rejects.toBeInstanceOf(StoreUnavailable);
    store.setDown(false);
    await expect(store.finished([])).resolves.toEqual(new Set());
  });
});
