const longestMs = 60_000;

/**
 * The waits after unexpected failures, for example a row that the database refuses. Each wait is twice the one before, so that a
 * unit that cannot end calls the CRM and the database once a minute, not twice a second.
 */
export interface FailureWaits<T extends object> {
  /** Milliseconds until it may be tried again. */
  next(thing: T): number;
  /** It went well: the next failure waits for the first wait again. */
  over(thing: T): void;
}

/** Waits per object; they are dropped with the object. */
export function createFailureWaits<T extends object>(firstMs: number): FailureWaits<T> {
  const waits = new WeakMap<T, number>();
  return {
    next: (thing) => {
      const wait = Math.min((waits.get(thing) ?? firstMs / 2) * 2, longestMs);
      waits.set(thing, wait);
      return wait;
    },
    over: (thing) => void waits.delete(thing),
  };
}
