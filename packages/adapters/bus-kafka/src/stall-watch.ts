/** One partition as the watch sees it. */
export interface WatchedPartition {
  partition: number;
  /** The offset to be taken in next; undefined where that is not known before the first message. */
  next: bigint | undefined;
  /** It could take messages now: begun, not paused, nothing waiting or with its handler. */
  idle: boolean;
}

export interface StallWatchOptions {
  partitions(): WatchedPartition[];
  /** Where the log ends and from where the group reads, per partition; rejects while the cluster does not answer. */
  standing(): Promise<{ partition: number; end: bigint; committed: bigint }[]>;
  /** Whether a partition without a message so far is read from what `standing` says. */
  fromStart: boolean;
  everyMs: number;
  /** Told once when the consumer has gone deaf. */
  stalled(partition: number): void;
}

/**
 * kafkajs can go deaf: it keeps its membership and fetches nothing, for example when it joined with the metadata of a topic that
 * was being created. An idle partition with messages ahead that has not moved between two looks is the sign; a new consumer
 * is the cure. Returns how to end the watch.
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
    // The cluster does not answer: the consumer says so itself, and who cannot be compared is not deaf.
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
