import type { Logger } from '@sluice/ports';
import { setTimeout as sleep } from 'node:timers/promises';

export interface LifecycleOptions {
  name: string;
  logger: Logger;
  /** The whole stop takes no longer than this, even when a part hangs. Default 20 s. */
  stopDeadlineMs?: number;
}

type Work = () => void | Promise<void>;

/** The result of a stop: `clean` when every part stopped in time and without an error. */
export interface StopReport {
  clean: boolean;
}

/**
 * Ordered start, reverse stop. A service adds its parts from the inside out: stores, producers, lanes, consumers,
 * HTTP, readiness. So it stops from the outside in: leave readiness, stop intake, drain, commit, flush, close.
 */
export interface Lifecycle {
  add(name: string, start: Work, stop: Work): void;
  /** Starts the parts in order. When one fails, those started are stopped again, in reverse, and the error passes on. */
  start(): Promise<void>;
  /** Stops in reverse, once; later calls get the same promise. During a start, parts not yet begun never start. */
  stop(reason: string): Promise<StopReport>;
}

interface Part {
  name: string;
  start: Work;
  stop: Work;
}

/** When a part hangs past the deadline, the parts below it still get at least this time. */
const leastMs = 200;

export function createLifecycle({ name, logger, stopDeadlineMs = 20_000 }: LifecycleOptions): Lifecycle {
  const parts: Part[] = [];
  const started: Part[] = [];
  let starting: Promise<void> | undefined;
  let stopping: Promise<StopReport> | undefined;

  async function startParts(): Promise<void> {
    const began = performance.now();
    for (const part of parts) {
      if (stopping) return;
      await part.start();
      started.push(part);
    }
    logger.info(`${name} started`, { duration_ms: Math.round(performance.now() - began) });
  }

  async function stopParts(reason: string): Promise<StopReport> {
    const began = performance.now();
    // A twentieth is reserved, so that the process has ended by the deadline.
    const deadline = began + stopDeadlineMs * 0.95;
    logger.info(`${name} stopping`, { reason });
    if (!(await inTime(starting?.catch(() => undefined), deadline))) logger.error('start did not end before the stop deadline');
    let clean = true;
    for (let part = started.pop(); part; part = started.pop()) clean = (await stopPart(part, deadline)) && clean;
    logger.info(`${name} stopped`, { reason, clean, duration_ms: Math.round(performance.now() - began) });
    return { clean };
  }

  async function stopPart(part: Part, deadline: number): Promise<boolean> {
    try {
      if (await inTime(Promise.resolve().then(part.stop), deadline)) return true;
      logger.error('part did not stop before the deadline', { part: part.name });
    } catch (error) {
      logger.error('part failed to stop', { part: part.name, error });
    }
    return false;
  }

  return {
    add: (partName, start, stop) => {
      if (starting) throw new Error(`${name}: part ${partName} was added after the start`);
      parts.push({ name: partName, start, stop });
    },
    start: () => {
      starting ??= startParts();
      return starting.catch(async (error: unknown) => {
        logger.error(`${name} failed to start`, { part: parts[started.length]?.name, error });
        stopping ??= stopParts('failed start');
        await stopping;
        throw error;
      });
    },
    stop: (reason) => (stopping ??= stopParts(reason)),
  };
}

/** Whether the work ended before the deadline (a performance.now() value). Its error passes on. */
async function inTime(work: Promise<unknown> | undefined, deadline: number): Promise<boolean> {
  if (!work) return true;
  const cancel = new AbortController();
  const late = sleep(Math.max(deadline - performance.now(), leastMs), false, { signal: cancel.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    cancel.abort();
  }
}
