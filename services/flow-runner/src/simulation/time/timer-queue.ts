/** A callback and the time at which it is due, milliseconds since the epoch. */
export interface Timer {
  at: number;
  callback(): void;
}

/** Timers by the time at which they are due; those of one moment in the order in which they were set. */
export interface TimerQueue {
  add(at: number, callback: () => void): void;
  /** The earliest, taken out; undefined when there is none. */
  shift(): Timer | undefined;
}

interface Entry extends Timer {
  order: number;
}

const before = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

/** An empty queue: a binary heap. */
export function createTimerQueue(): TimerQueue {
  const heap: Entry[] = [];
  let added = 0;

  const rise = (entry: Entry): void => {
    let place = heap.push(entry) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!before(entry, heap[parent]!)) break;
      heap[place] = heap[parent]!;
      place = parent;
    }
    heap[place] = entry;
  };
  const sink = (entry: Entry): void => {
    let place = 0;
    for (;;) {
      let child = place * 2 + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child += 1;
      if (!before(heap[child]!, entry)) break;
      heap[place] = heap[child]!;
      place = child;
    }
    heap[place] = entry;
  };

  return {
    add: (at, callback) => rise({ at, callback, order: (added += 1) }),
    shift: () => {
      const first = heap[0];
      const last = heap.pop();
      if (last !== undefined && heap.length > 0) sink(last);
      return first;
    },
  };
}
