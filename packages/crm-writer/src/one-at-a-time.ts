import type { Activity } from './activity';

/** Runs `work` while nobody else of this process works under the same key, in the order of asking. */
export type OneAtATime = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** @param activity is told who waits: a unit that waits for another's work does not keep batches from being sent */
export function createOneAtATime(activity: Pick<Activity, 'waiting'>): OneAtATime {
  /** The last of each key. */
  const tails = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = tails.get(key);
    const mine = (async () => {
      // Only its end matters here: its failure belongs to the one who asked for it.
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
