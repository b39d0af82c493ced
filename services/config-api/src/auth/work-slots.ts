/** Work that is refused because too much of it waits already. */
export class TooMuchWaiting extends Error {
  override name = 'TooMuchWaiting';
}

export interface WorkSlots {
  /**
   * Runs work when a slot is free. Lanes take turns, so that one full lane delays another by one piece of work only;
   * urgent work goes before all other.
   * @throws TooMuchWaiting at once when the lane, or everything together, has too much waiting
   */
  run<T>(lane: string, urgent: boolean, work: () => Promise<T>): Promise<T>;
}

export interface WorkSlotsOptions {
  /** Pieces of work at the same time. */
  slots: number;
  maxWaitingPerLane: number;
  maxWaiting: number;
}

type Start = () => void;

/** A bound on costly work, shared fairly. */
export function createWorkSlots({ slots, maxWaitingPerLane, maxWaiting }: WorkSlotsOptions): WorkSlots {
  /** Waiting work by class and lane; the lane at the front is next. */
  const queues = { urgent: new Map<string, Start[]>(), ordinary: new Map<string, Start[]>() };
  let running = 0;
  let waiting = 0;

  const enter = (queue: Map<string, Start[]>, lane: string): Promise<void> => {
    const own = queue.get(lane) ?? [];
    if (own.length >= maxWaitingPerLane || waiting >= maxWaiting) throw new TooMuchWaiting();
    waiting += 1;
    return new Promise((resolve) => queue.set(lane, [...own, resolve]));
  };
  const startNext = (): void => {
    const queue = queues.urgent.size > 0 ? queues.urgent : queues.ordinary;
    const [next] = queue;
    if (!next) return;
    const [lane, [start, ...rest]] = next;
    // To the back of the row: the other lanes come first now.
    queue.delete(lane);
    if (rest.length > 0) queue.set(lane, rest);
    waiting -= 1;
    running += 1;
    start?.();
  };
  return {
    run: async (lane, urgent, work) => {
      if (running < slots) running += 1;
      else await enter(urgent ? queues.urgent : queues.ordinary, lane);
      try {
        return await work();
      } finally {
        running -= 1;
        startNext();
      }
    },
  };
}
