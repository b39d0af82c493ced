/**
 * Counts the units that could still add to a batch. A unit that computes is active; a unit that waits for an answer is not. When
 * no unit is active, waiting longer cannot fill a batch any further (ADR 0006).
 */
export interface Activity {
  enter(): void;
  leave(): void;
  /** Awaits an answer from outside the process: meanwhile the caller does not count as active. */
  waiting<T>(work: Promise<T>): Promise<T>;
  quiet(): boolean;
  /**
   * Adds a listener. It is called whenever no unit is active, once the current work of the event loop is done, until it is
   * removed. Listen only while there is something to start: every idle moment calls all listeners.
   */
  onQuiet(listener: () => void): void;
  offQuiet(listener: () => void): void;
}

export function createActivity(): Activity {
  let active = 0;
  let scheduled = false;
  const listeners = new Set<() => void>();

  /**
   * Below zero while a unit has ended with calls under way, because one of several failed: each of them counts when it comes
   * back. They may wait for a batch, which must start.
   */
  const isQuiet = (): boolean => active <= 0;
  const announce = (): void => {
    scheduled = false;
    // A copy, because a listener may remove and add itself during the loop, and is called only once then.
    if (isQuiet()) for (const listener of [...listeners]) listener();
  };
  // setImmediate, because promise continuations that follow now may make a unit active again.
  const check = (): void => {
    if (!isQuiet() || scheduled) return;
    scheduled = true;
    setImmediate(announce);
  };
  const leave = (): void => {
    active -= 1;
    check();
  };
  // Shared by all waiting calls: closures and async functions of each call would cost more than the calls themselves.
  const backWith = <T>(answer: T): T => {
    active += 1;
    return answer;
  };
  const backAfter = (error: unknown): never => {
    active += 1;
    throw error;
  };
  return {
    enter: () => { active += 1; },
    leave,
    waiting: (work) => {
      leave();
      return work.then(backWith, backAfter);
    },
    quiet: isQuiet,
    onQuiet: (listener) => { listeners.add(listener); },
    offQuiet: (listener) => { listeners.delete(listener); },
  };
}
