/** First in, first out. Both ends in O(1) amortised: removed entries are cut off in bulk, never shifted one by one. */
export interface Fifo<E> {
  push(entry: E): void;
  shift(): E | undefined;
  /** Drops the entries that do not pass. O(size). */
  keep(passes: (entry: E) => boolean): void;
  size(): number;
}

const CUT_AT = 64;

/** An empty queue. */
export function createFifo<E>(): Fifo<E> {
  let entries: (E | undefined)[] = [];
  let first = 0;

  function shift(): E | undefined {
    if (first === entries.length) return undefined;
    const entry = entries[first];
    entries[first] = undefined;
    first += 1;
    if (first === entries.length) {
      entries.length = first = 0;
    } else if (first >= CUT_AT && first * 2 >= entries.length) {
      entries = entries.slice(first);
      first = 0;
    }
    return entry;
  }

  return {
    push: (entry) => void entries.push(entry),
    shift,
    keep: (passes) => {
      entries = (entries.slice(first) as E[]).filter(passes);
      first = 0;
    },
    size: () => entries.length - first,
  };
}
