/** Time that something may take; time while it waits for others does not count. */
export interface Allowance {
  pause(): void;
  resume(): void;
  /** Milliseconds used up so far. */
  used(): number;
  /** Ends it for good, without calling `over`. */
  end(): void;
}

/** Begins to count at once. @param over called once `ms` are used up */
export function createAllowance(ms: number, over: () => void): Allowance {
  let left = ms;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const resume = (): void => {
    if (timer || ended) return;
    since = performance.now();
    timer = setTimeout(over, left);
  };
  const pause = (): void => {
    if (!timer) return;
    clearTimeout(timer);
    timer = undefined;
    left = Math.max(0, left - (performance.now() - since));
  };
  resume();
  return {
    pause,
    resume,
    used: () => ms - left + (timer ? performance.now() - since : 0),
    end: () => {
      ended = true;
      pause();
    },
  };
}
