const longestMs = 60_000;

/**
 * Waits of what fails in a way nobody foresaw, for example a row the database refuses: each twice the one before, so that a
 * unit that cannot end asks the CRM and the database once a minute, not twice a second.
 */
export interface FailureWaits<T extends object> {
  /** Milliseconds until the thing may be tried again. */
  next(thing: T): number;
  /** It went well: the next failure waits for the first wait again. */
  over(thing: T): void;
}

/** Waits per thing; a thing that is gone is forgotten. */
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
