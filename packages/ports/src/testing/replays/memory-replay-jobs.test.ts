import { createMemoryEventIndex } from '../run-store/memory-event-index';
import { createMemoryRunStore } from '../run-store/memory-run-store';
import { createMemoryTaskStore } from '../stores/memory-task-store';
import { createMemoryReplayJobs } from './memory-replay-jobs';
import { replayJobConformance } from './replay-job-conformance';

replayJobConformance('the memory twin', async () => {
  const [runs, tasks] = [createMemoryRunStore(), createMemoryTaskStore()];
  const index = createMemoryEventIndex(runs);
  return { jobs: createMemoryReplayJobs({ runs, index, tasks }), runs, index, tasks, close: async () => undefined };
});
