/** Requests of all callers that continue in one turn of the event loop. */
const perTurn = 8;

/**
 * Makes requests that may be a flood take turns: reads, and events of callers that were refused recently. Of each caller one
 * request continues per turn of the event loop, however many have arrived. In between the loop serves all other work: a normal
 * request waits for one request of a flood at each of its own steps, not for all of them.
 */
export interface CallerTurns {
  /** undefined: it may continue at once. */
  next(caller: string): Promise<void> | undefined;
}

export function createCallerTurns(): CallerTurns {
  /** Callers that had a turn in the present turn of the loop, or wait for one; the longest waiting first. */
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
    // A caller that had its turn is put at the end, so this iteration does not reach it a second time.
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
