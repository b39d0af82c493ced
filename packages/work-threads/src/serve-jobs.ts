import { parentPort } from 'node:worker_threads';
import type { FromThread, JobHost, JobTable, ToThread } from './job-table';

/** Rejects a question whose answer failed. */
class AnswerFailed extends Error {
  override name = 'AnswerFailed';

  constructor(readonly ask: number) {
    super('what the job asked for failed');
  }
}

interface Asked {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Makes the worker thread that runs this module a thread of `createWorkThreads`. Does nothing in the main thread.
 * @param warmUp work that the first job must not wait for, and that does not count within its time
 */
export function serveJobs(jobs: JobTable, warmUp: () => void = () => undefined): void {
  const port = parentPort;
  if (!port) return;
  let asks = 0;
  const asked = new Map<number, Asked>();
  const say = (message: FromThread): void => port.postMessage(message);

  const hostOf = (job: number): JobHost => ({
    ask: (name, ...args) => new Promise((resolve, reject) => {
      asks += 1;
      asked.set(asks, { resolve, reject });
      say({ kind: 'ask', job, ask: asks, name, args });
    }),
  });
  const run = async (job: number, name: string, input: unknown): Promise<void> => {
    try {
      const work = jobs[name];
      if (!work) throw new Error(`there is no job '${name}'`);
      say({ kind: 'done', job, result: await work(input as never, hostOf(job)) });
    } catch (error) {
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      say({ kind: 'failed', job, message, stack, ask: error instanceof AnswerFailed ? error.ask : null });
    }
    // Nobody waits for what is still open.
    asked.clear();
  };
  port.on('message', (message: ToThread) => {
    if (message.kind === 'job') return void run(message.job, message.name, message.input);
    const waiting = asked.get(message.ask);
    asked.delete(message.ask);
    if (message.ok) waiting?.resolve(message.value);
    else waiting?.reject(new AnswerFailed(message.ask));
  });
  warmUp();
  say({ kind: 'ready' });
}
