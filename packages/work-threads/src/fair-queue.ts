/** Bounds of waiting items. */
export interface FairQueueLimits {
  /** Items and bytes of one group. */
  perGroup: { items: number; bytes: number };
  /** Bytes of all groups together. */
  bytes: number;
}

/**
 * Work of many groups, taken in turns: a group has one item under way at a time, and a group with a long queue does not delay the
 * others. Pure state.
 */
export interface FairQueue<T> {
  /** `group_full`, `full`: over a bound, the item is refused. */
  push(group: string, item: T, bytes: number): 'queued' | 'group_full' | 'full';
  /** The next item of the group whose turn it is; the group then waits until `finished` is called. */
  take(): { group: string; item: T } | undefined;
  /** The item of a group that was under way has ended. */
  finished(group: string): void;
  waiting(): number;
}

interface Group<T> {
  items: { item: T; bytes: number }[];
  bytes: number;
  busy: boolean;
}

export function createFairQueue<T>(limits: FairQueueLimits): FairQueue<T> {
  /** In the order of their turns. */
  const groups = new Map<string, Group<T>>();
  let bytesWaiting = 0;
  let itemsWaiting = 0;

  return {
    push: (name, item, bytes) => {
      const group = groups.get(name) ?? { items: [], bytes: 0, busy: false };
      if (group.items.length >= limits.perGroup.items || group.bytes + bytes > limits.perGroup.bytes) return 'group_full';
      if (bytesWaiting + bytes > limits.bytes) return 'full';
      group.items.push({ item, bytes });
      group.bytes += bytes;
      bytesWaiting += bytes;
      itemsWaiting += 1;
      groups.set(name, group);
      return 'queued';
    },
    take: () => {
      for (const [name, group] of groups) {
        if (group.busy) continue;
        const next = group.items.shift();
        if (!next) continue;
        group.busy = true;
        group.bytes -= next.bytes;
        bytesWaiting -= next.bytes;
        itemsWaiting -= 1;
        // Moved to the end of the turns.
        groups.delete(name);
        groups.set(name, group);
        return { group: name, item: next.item };
      }
      return undefined;
    },
    finished: (name) => {
      const group = groups.get(name);
      if (!group) return;
      group.busy = false;
      if (group.items.length === 0) groups.delete(name);
    },
    waiting: () => itemsWaiting,
  };
}
