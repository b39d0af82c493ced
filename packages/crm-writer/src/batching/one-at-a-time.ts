import type { Activity } from './activity';

/** Runs `work` while no other work of this process runs under the same key, in the order of the calls. */
export type OneAtATime = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** @param activity learns of waiting units: a unit that waits for another's work does not delay batches */
export function createOneAtATime(activity: Pick<Activity, 'waiting'>): OneAtATime {
  /** The last work of each key. */
  const tails = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = tails.get(key);
    const mine = (async () => {
      // Only its end matters here: its failure belongs to its own caller.
      if (before) await activity.waiting(before.then(() => undefined, () => undefined));
      return work();
    })();
    tails.set(key, mine);
    try {
      return await mine;
    } finally {
      if (tails.get(key) === mine) tails.delete(key);
    }
  };
}
