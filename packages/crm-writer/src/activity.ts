/**
 * Knows whether anybody could still add to a batch. Units of work that compute are active; units that wait for
 * the writer are not. When nobody is active, waiting longer cannot fill a batch any further (ADR 0006).
 */
export interface Activity {
  enter(): void;
  leave(): void;
  /** Awaits something of the outside: meanwhile the caller does not count as active. */
  waiting<T>(work: Promise<T>): Promise<T>;
  quiet(): boolean;
  /**
   * The listener is called, once the current work of the event loop is done, whenever nobody is active, until it is taken
   * out again. Who has nothing to start should not be listening: a quiet moment calls every listener.
   */
  onQuiet(listener: () => void): void;
  offQuiet(listener: () => void): void;
}

export function createActivity(): Activity {
  let active = 0;
  let scheduled = false;
  const listeners = new Set<() => void>();

  const announce = (): void => {
    scheduled = false;
    // A copy: a listener may leave and come back meanwhile, and has then had its call.
    if (active === 0) for (const listener of [...listeners]) listener();
  };
  // setImmediate, because promise continuations that follow right now may make somebody active again.
  const check = (): void => {
    if (active > 0 || scheduled) return;
    scheduled = true;
    setImmediate(announce);
  };
  const leave = (): void => {
    active -= 1;
    check();
  };
  return {
    enter: () => { active += 1; },
    leave,
    waiting: async (work) => {
      leave();
      try {
        return await work;
      } finally {
        active += 1;
      }
    },
    quiet: () => active === 0,
    onQuiet: (listener) => { listeners.add(listener); },
    offQuiet: (listener) => { listeners.delete(listener); },
  };
}
