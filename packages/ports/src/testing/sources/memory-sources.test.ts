import { createMemoryConfigStore } from '../config-twin/memory-config-store';
import { createMemoryTaskStore } from '../stores/memory-task-store';
import { crmJournalConformance } from './crm-journal-conformance';
import type { SourceLab } from './source-lab';
import { sourceReadConformance } from './source-read-conformance';

async function memoryLab(): Promise<SourceLab> {
  const tasks = createMemoryTaskStore();
  const config = createMemoryConfigStore({ tasks, assertFence: (fence) => tasks.assertFence(fence) });
  return { config, tasks, reads: config.sourceReads, journal: config.crmJournal, close: async () => undefined };
}

sourceReadConformance('the memory twin', memoryLab);
crmJournalConformance('the memory twin', memoryLab);
