/** Runs work that has the bytes of a file in memory: a bounded number at a time, in the order of the calls. */
export type TransferLimit = <T>(work: () => Promise<T>) => Promise<T>;

/** @param waiting marks waiting units, so that they do not delay batches */
export function createTransferLimit(places: number, waiting: <T>(work: Promise<T>) => Promise<T>): TransferLimit {
  const queue: (() => void)[] = [];
  let free = places;
  return async (work) => {
    if (free > 0) free -= 1;
    else await waiting(new Promise<void>((resolve) => queue.push(resolve)));
    try {
      return await work();
    } finally {
      // The slot passes to the next one directly.
      const next = queue.shift();
      if (next) next();
      else free += 1;
    }
  };
}
