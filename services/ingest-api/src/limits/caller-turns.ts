/** Requests that go on in one turn of the event loop, of all callers together. */
const perTurn = 8;

/**
 * Lets requests take turns that may be a flood: reads, and events of callers that were refused lately. Of each caller one goes on
 * in a turn of the event loop, however many have arrived. In between the loop looks after everybody else: who does nothing wrong
 * waits for one request of a flood instead of for all that have arrived with it, at each step of its own way.
 */
export interface CallerTurns {
  /** undefined: at once. */
  next(caller: string): Promise<void> | undefined;
}

export function createCallerTurns(): CallerTurns {
  /** Callers that had a turn since the loop last came around, or wait for one: who waits longest is first. */
  const callers = new Map<string, (() => void)[]>();
  let isDue = false;

  const schedule = (): void => {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      turn();
    });
  };
  const turn = (): void => {
    let left = perTurn;
    // Who has gone on stands at the end again: the loop does not come to it a second time.
    let unseen = callers.size;
    for (const [caller, waiting] of callers) {
      if (left === 0 || unseen === 0) break;
      unseen -= 1;
      callers.delete(caller);
      const next = waiting.shift();
      if (!next) continue;
      callers.set(caller, waiting);
      left -= 1;
      next();
    }
    if (callers.size > 0) schedule();
  };

  return {
    next: (caller) => {
      schedule();
      const waiting = callers.get(caller);
      if (waiting) return new Promise((resolve) => waiting.push(resolve));
      const mayGoOn = callers.size < perTurn;
      const own: (() => void)[] = [];
      callers.set(caller, own);
      return mayGoOn ? undefined : new Promise((resolve) => own.push(resolve));
    },
  };
}
