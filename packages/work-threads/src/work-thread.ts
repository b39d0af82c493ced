import { Worker, type WorkerOptions } from 'node:worker_threads';
import { createAllowance, type Allowance } from './allowance';
import type { FromThread, JobAnswers, ToThread } from './job-table';

/** The path of the worker's code. */
export interface WorkerCode {
  file: string;
  options?: Pick<WorkerOptions, 'execArgv' | 'workerData'>;
}

export interface ThreadJob {
  name: string;
  input: unknown;
  answers: JobAnswers;
}

export type ThreadResult =
  | { outcome: 'done'; result: unknown }
  /** It exceeded its time or memory. */
  | { outcome: 'too_complex' }
  | { outcome: 'stopped' }
  /** A bug, or what the job asked for failed, or the thread could not be started. */
  | { outcome: 'broken'; error: unknown };

/** `usedMs`: how long the job worked, without the time in which it waited for answers. */
export type EndedJob = ThreadResult & { usedMs: number };

/** One thread that runs one job at a time. When a job is given up, the thread ends, and the next job gets a new one. */
export interface WorkThread {
  /** Never rejects. Not to be called while a job is under way. */
  run(job: ThreadJob): Promise<EndedJob>;
  start(): void;
  stop(): Promise<void>;
}

/** Ten times what checking the largest document needs. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };
/** Milliseconds a thread may take to load its code, on a machine that is busy with other things. */
const startLimitMs = 60_000;

interface UnderWay extends ThreadJob {
  number: number;
  settle(result: EndedJob): void;
  allowance: Allowance;
  /** Answers that the job waits for. */
  open: number;
  /** Errors of answers, by the number of the question. */
  failures: Map<number, unknown>;
}

/** @param timeLimitMs of one job, without the time in which it waits for answers */
export function createWorkThread(code: WorkerCode, timeLimitMs: number): WorkThread {
  let worker: Worker | undefined;
  let isReady = false;
  let stopped = false;
  let jobs = 0;
  let underWay: UnderWay | undefined;

  const settle = (result: ThreadResult): void => {
    const job = underWay;
    underWay = undefined;
    job?.allowance.end();
    job?.settle({ ...result, usedMs: job.allowance.used() });
  };
  const giveUp = (result: ThreadResult): void => {
    const gone = worker;
    worker = undefined;
    isReady = false;
    gone?.removeAllListeners();
    // Later messages and errors of the worker are ignored.
    gone?.on('error', () => undefined);
    void gone?.terminate();
    settle(result);
  };
  const post = (message: ToThread): void => worker?.postMessage(message);
  const send = (): void => {
    if (!underWay || !isReady) return;
    underWay.allowance.end();
    underWay.allowance = createAllowance(timeLimitMs, () => giveUp({ outcome: 'too_complex' }));
    post({ kind: 'job', job: underWay.number, name: underWay.name, input: underWay.input });
  };
  const told = (message: FromThread): void => {
    if (message.kind === 'ready') {
      isReady = true;
      return send();
    }
    // What an earlier job still says concerns nobody.
    if (!underWay || message.job !== underWay.number) return;
    if (message.kind === 'done') settle({ outcome: 'done', result: message.result });
    else if (message.kind === 'failed') settle({ outcome: 'broken', error: errorOf(message, underWay) });
    else answer(underWay, message, (text) => (underWay?.number === message.job ? post(text) : undefined));
  };
  const start = (): void => {
    if (worker || stopped) return;
    worker = new Worker(code.file, { ...code.options, resourceLimits });
    worker.on('message', told);
    worker.on('error', (error: Error & { code?: string }) =>
      giveUp(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? { outcome: 'too_complex' } : { outcome: 'broken', error }),
    );
    worker.on('exit', () => giveUp({ outcome: 'broken', error: new Error('the thread ended') }));
    worker.unref();
  };
  return {
    run: (job) => new Promise((resolve) => {
      if (stopped) return resolve({ outcome: 'stopped', usedMs: 0 });
      jobs += 1;
      const allowance = createAllowance(startLimitMs, () =>
        giveUp({ outcome: 'broken', error: new Error('the thread does not start') }));
      underWay = { ...job, number: jobs, settle: resolve, allowance, open: 0, failures: new Map() };
      try {
        start();
        send();
      } catch (error) {
        giveUp({ outcome: 'broken', error });
      }
    }),
    start,
    stop: async () => {
      stopped = true;
      const gone = worker;
      giveUp({ outcome: 'stopped' });
      await gone?.terminate();
    },
  };
}

/** The time of the job stands still until it has all its answers. */
function answer(
  job: UnderWay,
  { ask, name, args }: Extract<FromThread, { kind: 'ask' }>,
  post: (message: ToThread) => void,
): void {
  job.open += 1;
  job.allowance.pause();
  const find = async (): Promise<unknown> => {
    const known = job.answers[name];
    if (!known) throw new Error(`the job '${job.name}' cannot ask for '${name}'`);
    return known(...(args as never[]));
  };
  const give = async (): Promise<void> => {
    const kept = { kind: 'answer', job: job.number, ask } as const;
    try {
      post({ ...kept, ok: true, value: await find() });
    } catch (error) {
      job.failures.set(ask, error);
      post({ ...kept, ok: false });
    }
    job.open -= 1;
    if (job.open === 0) job.allowance.resume();
  };
  void give();
}

function errorOf({ ask, message, stack }: Extract<FromThread, { kind: 'failed' }>, { failures }: UnderWay): unknown {
  if (ask !== null && failures.has(ask)) return failures.get(ask);
  return Object.assign(new Error(message), { stack });
}
