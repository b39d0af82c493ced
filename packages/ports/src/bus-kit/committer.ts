/** An offset with what fences it: the token of the ownership under which it was read. */
export interface FencedOffset<Token> {
  partition: number;
  next: bigint;
  token: Token;
}

/** Offsets to commit: merged while a commit is under way, kept while the log cannot be reached. */
export interface Committer {
  /**
   * Resolves when stored, when the partitions are lost, or after a few seconds; offsets that were not stored are kept for
   * `flush`.
   */
  commit(offsets: readonly { partition: number; next: bigint }[]): Promise<void>;
  /** Tries again the offsets that could not be stored. */
  flush(): void;
  /** Resolves all commits that still wait. */
  close(): void;
}

export interface CommitterOptions<Token> {
  /** The present ownership of a partition; undefined when it is not owned. Compared by identity. */
  tokenOf(partition: number): Token | undefined;
  /** Writes to the log. A rejection is tried again. */
  store(offsets: readonly FencedOffset<Token>[]): Promise<void>;
}

const patienceMs = 5_000;
const retryMs = 250;

export function createCommitter<Token>({ tokenOf, store }: CommitterOptions<Token>): Committer {
  const pending = new Map<number, FencedOffset<Token>>();
  let closed = false;
  let running: Promise<void> | undefined;

  const forgetLost = (): void => {
    for (const { partition, token } of [...pending.values()]) if (tokenOf(partition) !== token) pending.delete(partition);
  };
  const storeAll = async (): Promise<void> => {
    for (forgetLost(); pending.size > 0; forgetLost()) {
      const sent = [...pending.values()];
      await store(sent);
      for (const offset of sent) if (pending.get(offset.partition) === offset) pending.delete(offset.partition);
    }
  };
  const flush = (): Promise<void> => (running ??= storeAll().finally(() => (running = undefined)));

  return {
    commit: async (offsets) => {
      for (const { partition, next } of offsets) {
        const token = tokenOf(partition);
        if (token !== undefined) pending.set(partition, { partition, next, token });
      }
      const deadline = performance.now() + patienceMs;
      while (pending.size > 0 && !closed && performance.now() < deadline) {
        const stored = await flush().then(() => true, () => false);
        if (!stored) await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    },
    // The caller tries again with the next sign of life of the log.
    flush: () => void flush().catch(() => undefined),
    close: () => void (closed = true),
  };
}
