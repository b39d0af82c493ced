import type { Logger } from '@sluice/ports';

export interface TickerOptions {
  name: string;
  everyMs: number;
  /** The task. `signal` aborts when the ticker stops. A rejection is logged and does not end the ticker. */
  run(signal: AbortSignal): Promise<void>;
  logger: Logger;
  /** Also run right at the start. Default true. */
  immediately?: boolean;
}

/** A periodic task that never overlaps itself: the wait starts when a run has ended. */
export interface Ticker {
  start(): void;
  /** Milliseconds since the last run that ended well; Infinity before the first. For readiness. */
  sinceLastSuccessMs(): number;
  /** Aborts the signal and resolves when no run is under way. */
  stop(): Promise<void>;
}

export function createTicker({ name, everyMs, run, logger, immediately = true }: TickerOptions): Ticker {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let lastSuccess = -Infinity;

  const schedule = (ms: number): void => {
    clearTimeout(timer);
    if (!abort.signal.aborted) timer = setTimeout(tick, ms);
  };

  function tick(): void {
    running = once().finally(() => {
      running = undefined;
      schedule(everyMs);
    });
  }

  async function once(): Promise<void> {
    try {
      await run(abort.signal);
      lastSuccess = performance.now();
    } catch (error) {
      if (!abort.signal.aborted) logger.error('periodic task failed', { task: name, error });
    }
  }

  return {
    start: () => schedule(immediately ? 0 : everyMs),
    sinceLastSuccessMs: () => performance.now() - lastSuccess,
    stop: async () => {
      abort.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
