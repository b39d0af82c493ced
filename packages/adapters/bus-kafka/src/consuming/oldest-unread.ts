/** A group's position in a partition with unread messages. */
export interface Waiting {
  partition: number;
  /** Offset of the oldest unread message. */
  committed: bigint;
}

/** The greatest age that is searched: twice the longest retention of a topic. */
const longestMs = 32 * 86_400_000;
/** Halvings after the range has been found: each doubles the precision, the third gives an eighth. */
const halvings = 3;

/**
 * When the log accepted the oldest of the unread messages. Kafka gives offsets for times, not times for offsets: ages are doubled
 * from a second on until no unread message is older, then the last doubling is halved. A dozen small requests for an hour's age.
 * @param offsetsAt by partition the first offset taken at a time or later
 * @param now milliseconds since the epoch
 */
export async function oldestUnread(
  waiting: readonly Waiting[],
  offsetsAt: (time: number) => Promise<Map<number, bigint>>,
  now: number,
): Promise<number | null> {
  if (waiting.length === 0) return null;
  const isOlderThan = async (ageMs: number): Promise<boolean> => {
    const offsets = await offsetsAt(now - ageMs);
    return waiting.some(({ partition, committed }) => committed < (offsets.get(partition) ?? 0n));
  };
  let [older, notOlder] = [0, 1_000];
  while (notOlder < longestMs && (await isOlderThan(notOlder))) [older, notOlder] = [notOlder, notOlder * 2];
  for (let halving = 0; older > 0 && halving < halvings; halving += 1) {
    const middle = Math.round((older + notOlder) / 2);
    if (await isOlderThan(middle)) older = middle;
    else notOlder = middle;
  }
  return now - older;
}
