/** The first wait, and the longest, in milliseconds. */
const [first, longest] = [500, 60_000];

/**
 * Waits of what fails in a way nobody foresaw, for example a row the database refuses: each twice the one before, so that a
 * unit that cannot end asks the CRM and the database once a minute, not twice a second.
 */
export interface FailureWaits<T extends object> {
  /** Milliseconds until the thing may be tried again. */
  next(thing: T): number;
}

/** Waits per thing; a thing that is gone is forgotten. */
export function createFailureWaits<T extends object>(): FailureWaits<T> {
  const waits = new WeakMap<T, number>();
  return {
    next: (thing) => {
      const wait = Math.min((waits.get(thing) ?? first / 2) * 2, longest);
      waits.set(thing, wait);
      return wait;
    },
  };
}
