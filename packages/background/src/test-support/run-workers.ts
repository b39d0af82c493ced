import { monotonicClock, type TaskStore } from '@sluice/ports';
import { createMemoryTaskStore, createRecordingLogger, type MemoryTaskStore } from '@sluice/ports/testing';
import { createMetrics } from '@sluice/service-kit';
import { BackgroundRunner } from '../background-runner';
import { defineWorker, type RunContext, type Worker } from '../worker';

interface LabOptions { tasks?: MemoryTaskStore; store?: TaskStore; owner?: string; takeOver?: boolean; now?(): number }

/** Starts runners of workers, and stops each of them after the test that started it. Call it at the top level of a test file. */
export function runnersOfTest() {
  const runners: BackgroundRunner[] = [];
  afterEach(() => Promise.all(runners.splice(0).map((runner) => runner.stop())));

  const started = (runner: BackgroundRunner): BackgroundRunner => {
    runners.push(runner);
    runner.start();
    return runner;
  };
  /** A runner with a store of tasks in memory, unless the options say otherwise. */
  const start = (
    workers: Worker[], { tasks = createMemoryTaskStore(), store = tasks, owner = 'one', ...rest }: LabOptions = {},
  ) => {
    const metrics = createMetrics({ service: 'test' });
    const logger = createRecordingLogger();
    const { now = () => performance.now(), takeOver = false } = rest;
    const runner = started(new BackgroundRunner({
      tasks: store, workers, owner, takeOver, logger, metrics, monotonicNow: monotonicClock(now), pollMs: 20,
    }));
    return { runner, tasks, lines: logger.lines, metrics };
  };
  return { start, started };
}

/** A worker whose runs are noted, and do what `work` says. */
export function noting(
  fields: Partial<Worker>, work: (context: RunContext, nth: number) => Promise<unknown> = async () => undefined,
) {
  const seen: RunContext[] = [];
  const worker = defineWorker({
    name: 'test', schedule: { waits: [0] }, leaseMs: 10_000,
    run: async (context) => {
      seen.push(context);
      return (await work(context, seen.length)) as undefined;
    },
    ...fields,
  });
  return { worker, seen };
}

/** Resolves when the signal is aborted. */
export const endOfSignal = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
