import type { GroupStore } from './group-store';

/** Offsets on their way: merged while a commit is under way, kept while the log cannot be reached. */
export interface Committer {
  commit(offsets: { partition: number; next: bigint }[]): Promise<void>;
  /** Tries again what could not be stored. */
  flush(): void;
  /** Lets everybody go who still waits. */
  close(): void;
}

const patienceMs = 5_000;
const retryMs = 250;

/** @param epochs the partitions of this member now, with the epoch that fences their commits */
export function createCommitter(store: GroupStore, epochs: ReadonlyMap<number, string>): Committer {
  const pending = new Map<number, { epoch: string; next: bigint }>();
  const closing = new AbortController();
  let running: Promise<void> | undefined;

  const storeAll = async (): Promise<void> => {
    while (pending.size > 0) {
      const sent = [...pending].map(([partition, { epoch, next }]) => ({ partition, epoch, next }));
      await store.commit(sent);
      for (const { partition, epoch, next } of sent) {
        const now = pending.get(partition);
        if (now?.next === next && now.epoch === epoch) pending.delete(partition);
      }
    }
  };
  const flush = (): Promise<void> => {
    for (const [partition, { epoch }] of [...pending]) if (epochs.get(partition) !== epoch) pending.delete(partition);
    running ??= storeAll().finally(() => (running = undefined));
    return running;
  };

  return {
    commit: async (offsets) => {
      for (const { partition, next } of offsets) {
        const epoch = epochs.get(partition);
        if (epoch !== undefined) pending.set(partition, { epoch, next });
      }
      const deadline = performance.now() + patienceMs;
      while (pending.size > 0 && !closing.signal.aborted && performance.now() < deadline) {
        const stored = await flush().then(() => true, () => false);
        if (!stored) await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    },
    // The heartbeat that asks for it succeeded a moment ago; the next one asks again.
    flush: () => void flush().catch(() => undefined),
    close: () => closing.abort(),
  };
}
