/** The state of one partition. */
export interface WatchedPartition {
  partition: number;
  /** The next offset to read; undefined while it is unknown before the first message. */
  next: bigint | undefined;
  /** It could accept messages now: started, not paused, no message waiting or in its handler. */
  idle: boolean;
}

export interface StallWatchOptions {
  partitions(): WatchedPartition[];
  /** The end of the log and the committed offset of the group, per partition; rejects while the cluster does not answer. */
  standing(): Promise<{ partition: number; end: bigint; committed: bigint }[]>;
  /** Whether a partition without a message so far is read from the committed offset of `standing`. */
  fromStart: boolean;
  everyMs: number;
  /** Called once when the consumer has stalled. */
  stalled(partition: number): void;
}

/**
 * kafkajs can stall: it keeps its membership and fetches nothing, for example when it joined with the metadata of a topic that
 * was being created. A stall is detected when an idle partition with unread messages has not moved between two checks; a new
 * consumer is then started. Returns a function that ends the watch.
 */
export function watchForStalls({ partitions, standing, fromStart, everyMs, stalled }: StallWatchOptions): () => void {
  let before = new Map<number, bigint>();
  let ended = false;
  let timer: NodeJS.Timeout | undefined;

  const behind = async (): Promise<Map<number, bigint>> => {
    const idle = partitions().filter((entry) => entry.idle);
    if (idle.length === 0) return new Map();
    const standings = new Map((await standing()).map((entry) => [entry.partition, entry]));
    const late = new Map<number, bigint>();
    for (const { partition, next } of idle) {
      const log = standings.get(partition);
      const position = next ?? (fromStart ? log?.committed : undefined);
      if (log && position !== undefined && log.end > position) late.set(partition, position);
    }
    return late;
  };
  const look = async (): Promise<void> => {
    // The cluster does not answer: the consumer reports that itself, and without an answer nothing can be compared.
    const now = await behind().catch(() => new Map<number, bigint>());
    if (ended) return;
    const deaf = [...now].find(([partition, position]) => before.get(partition) === position);
    before = now;
    if (deaf) stalled(deaf[0]);
    else timer = setTimeout(() => void look(), everyMs);
  };
  timer = setTimeout(() => void look(), everyMs);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
