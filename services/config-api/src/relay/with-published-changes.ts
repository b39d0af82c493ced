import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable, type OutboxStore } from '@sluice/ports';
import type { HttpRoute } from '@sluice/service-kit';
import type { OutboxRelay } from './create-outbox-relay';

export interface PublishedChangesDeps {
  outbox: Pick<OutboxStore, 'newestWaiting'>;
  relay: Pick<OutboxRelay, 'wake'>;
  monotonicNow(): number;
}

/** How long an answer waits for the relay: a broker that is away does not stop the work of people. */
const waitMs = 1_000;
/** Another process may be the relay: then only looking shows what it has published. */
const lookEveryMs = 10;

/**
 * The same route; one that changes something is answered when the log has the change. Events that are sent after the answer of a
 * publish then meet services that are about to know the version: the relay alone would take up to its interval. After a wait in
 * vain answers wait no more until the outbox was found empty.
 */
export function withPublishedChanges({ outbox, relay, monotonicNow }: PublishedChangesDeps): (route: HttpRoute) => HttpRoute {
  let isLate = false;

  async function untilPublished(): Promise<void> {
    const newest = await outbox.newestWaiting();
    if (newest === null) isLate = false;
    if (newest === null || isLate) return;
    relay.wake();
    const until = monotonicNow() + waitMs;
    while ((await outbox.newestWaiting(newest)) !== null) {
      isLate = monotonicNow() >= until;
      if (isLate) return;
      await sleep(lookEveryMs);
    }
  }

  return (route) => {
    if (route.contract.method === 'get') return route;
    return {
      ...route,
      handler: async (input) => {
        const answer = await route.handler(input);
        // The change is stored: a database that is away now does not turn it into an error.
        await untilPublished().catch((error: unknown) => {
          if (!(error instanceof StoreUnavailable)) throw error;
        });
        return answer;
      },
    };
  };
}
