import { assistantStoreConformance } from './assistant-store-conformance';
import { MemoryAssistantStore } from './memory-assistant-store';

assistantStoreConformance('The twin', async () => {
  const store = new MemoryAssistantStore();
  return { store, other: store, close: async () => undefined };
});
