import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { Finding, Problem } from '@sluice/config-model';
import type { CheckJob, CheckMessage } from './config-check.worker';

/** The path of the worker's code. */
export interface WorkerCode {
  file: string;
  options?: Pick<WorkerOptions, 'execArgv' | 'workerData'>;
}

export type CheckResult =
  | { outcome: 'checked'; problems: Problem[]; findings: Finding[] }
  /** It exceeded its time or memory. */
  | { outcome: 'too_complex' }
  | { outcome: 'stopped' }
  /** A bug: the check threw, or the thread could not be started. */
  | { outcome: 'broken'; error: unknown };

/**
 * One thread that checks one document at a time. When a check is given up, the thread ends, and the next document gets a new one.
 */
export interface CheckThread {
  /** Never rejects. Not to be called while a check is under way. */
  run(job: CheckJob): Promise<CheckResult>;
  start(): void;
  stop(): Promise<void>;
}

/** Ten times the duration of checking the largest document. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };
/** Milliseconds a thread may take to load its code, on a machine that is busy with other things. */
const startLimitMs = 60_000;

export function createCheckThread(code: WorkerCode, timeLimitMs: number): CheckThread {
  let worker: Worker | undefined;
  let isReady = false;
  let stopped = false;
  let underWay: { job: CheckJob; settle(result: CheckResult): void; timer?: NodeJS.Timeout } | undefined;

  const settle = (result: CheckResult): void => {
    const job = underWay;
    underWay = undefined;
    clearTimeout(job?.timer);
    job?.settle(result);
  };
  const giveUp = (result: CheckResult): void => {
    const gone = worker;
    worker = undefined;
    isReady = false;
    gone?.removeAllListeners();
    // Later messages and errors of the worker are ignored.
    gone?.on('error', () => undefined);
    void gone?.terminate();
    settle(result);
  };
  const send = (): void => {
    if (!underWay || !isReady) return;
    clearTimeout(underWay.timer);
    underWay.timer = setTimeout(() => giveUp({ outcome: 'too_complex' }), timeLimitMs);
    worker?.postMessage(underWay.job);
  };
  const start = (): void => {
    if (worker || stopped) return;
    worker = new Worker(code.file, { ...code.options, resourceLimits });
    worker.on('message', (message: CheckMessage) => {
      if (message.kind === 'checked')
        return settle({ outcome: 'checked', problems: message.problems, findings: message.findings ?? [] });
      isReady = true;
      send();
    });
    worker.on('error', (error: Error & { code?: string }) =>
      giveUp(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? { outcome: 'too_complex' } : { outcome: 'broken', error }),
    );
    worker.on('exit', () => giveUp({ outcome: 'broken', error: new Error('the thread of config checks ended') }));
    worker.unref();
  };
  return {
    run: (job) => new Promise((resolve) => {
      if (stopped) return resolve({ outcome: 'stopped' });
      underWay = {
        job,
        settle: resolve,
        timer: setTimeout(
          () => giveUp({ outcome: 'broken', error: new Error('the thread of config checks does not start') }),
          startLimitMs,
        ),
      };
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
