import { apiError, rateLimitError } from '@sluice/service-kit';
import { createFairQueue, type FairQueueLimits } from '@sluice/work-threads';

/** Runs writes of one draft one after the other, in the order of their arrival; drafts of other connectors are independent. */
export interface DraftTurns {
  /** @throws HttpError 429 when too many writes of this draft wait, 503 when too many of all drafts do */
  take<T>(connectorId: string, bytes: number, work: () => Promise<T>): Promise<T>;
}

/** Waiting writes are in memory: many small or a few large ones of a draft, and in all as much as fits in a small heap. */
const usualLimits: FairQueueLimits = { perGroup: { items: 500, bytes: 4 * 1_048_576 }, bytes: 64 * 1_048_576 };

/**
 * Each write reads the draft, changes it and stores it if there was no other write in between. Concurrent writers of this process
 * would only make each other repeat; those of other processes are detected by `draft_version`.
 */
export function createDraftTurns(limits: FairQueueLimits = usualLimits): DraftTurns {
  const queue = createFairQueue<() => Promise<void>>(limits);
  const startNext = (): void => {
    for (let next = queue.take(); next; next = queue.take()) {
      const { group, item } = next;
      void item().finally(() => {
        queue.finished(group);
        startNext();
      });
    }
  };
  return {
    take: (connectorId, bytes, work) => new Promise((resolve, reject) => {
      const answer = queue.push(connectorId, () => work().then(resolve, reject), bytes);
      if (answer === 'group_full') return reject(rateLimitError({ limit: limits.perGroup.items, remaining: 0, resetMs: 1_000 }));
      if (answer === 'full') return reject(apiError('service_unavailable', {}, { 'Retry-After': '1' }));
      startNext();
    }),
  };
}
