/** Runs work that holds the bytes of a file, a bounded number of them at once, in the order of asking. */
export type TransferGate = <T>(work: () => Promise<T>) => Promise<T>;

/** @param waiting told who waits: such a unit keeps no batch from being sent */
export function createTransferGate(places: number, waiting: <T>(work: Promise<T>) => Promise<T>): TransferGate {
  const queue: (() => void)[] = [];
  let free = places;
  return async (work) => {
    if (free > 0) free -= 1;
    else await waiting(new Promise<void>((resolve) => queue.push(resolve)));
    try {
      return await work();
    } finally {
      // The place goes to the next one without being free in between.
      const next = queue.shift();
      if (next) next();
      else free += 1;
    }
  };
}
