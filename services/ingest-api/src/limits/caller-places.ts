/** Limits of the requests that one caller may have under way at once. */
export interface CallerPlacesOptions {
  perCaller: number;
  /** Requests of one caller that may wait. */
  maxWaiting: number;
}

/** Each caller has its own limit: a caller that has reached it waits for its own requests, not for those of others. */
export interface CallerPlaces {
  /** Does the work once the caller is below its limit; `full` when too many of its requests wait already. */
  run<T>(caller: string, work: () => Promise<T>): Promise<T> | 'full';
}

interface Caller {
  running: number;
  waiting: (() => void)[];
}

export function createCallerPlaces({ perCaller, maxWaiting }: CallerPlacesOptions): CallerPlaces {
  const callers = new Map<string, Caller>();
  const leave = (name: string, caller: Caller): void => {
    const next = caller.waiting.shift();
    if (next) return next();
    caller.running -= 1;
    if (caller.running === 0) callers.delete(name);
  };
  return {
    run: (name, work) => {
      const caller = callers.get(name) ?? { running: 0, waiting: [] };
      callers.set(name, caller);
      const done = (): void => leave(name, caller);
      if (caller.running < perCaller) {
        caller.running += 1;
        return work().finally(done);
      }
      if (caller.waiting.length >= maxWaiting) return 'full';
      return new Promise<void>((resolve) => caller.waiting.push(resolve)).then(() => work().finally(done));
    },
  };
}
