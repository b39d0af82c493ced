import { createFairQueue, type FairQueue } from '@sluice/work-threads';

/** Thrown for work that is refused because too much of it waits already. */
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
  const limits = { perGroup: { items: maxWaitingPerLane, bytes: Infinity }, bytes: Infinity };
  const [urgentQueue, ordinaryQueue] = [createFairQueue<Start>(limits), createFairQueue<Start>(limits)];
  let running = 0;

  const enter = (queue: FairQueue<Start>, lane: string): Promise<void> => new Promise((resolve, reject) => {
    const waiting = urgentQueue.waiting() + ordinaryQueue.waiting();
    if (waiting >= maxWaiting || queue.push(lane, resolve, 0) !== 'queued') reject(new TooMuchWaiting());
  });
  const startNext = (): void => {
    const queue = urgentQueue.waiting() > 0 ? urgentQueue : ordinaryQueue;
    const next = queue.take();
    if (!next) return;
    // A lane may have several pieces of work under way.
    queue.finished(next.group);
    running += 1;
    next.item();
  };
  return {
    run: async (lane, urgent, work) => {
      if (running < slots) running += 1;
      else await enter(urgent ? urgentQueue : ordinaryQueue, lane);
      try {
        return await work();
      } finally {
        running -= 1;
        startNext();
      }
    },
  };
}
