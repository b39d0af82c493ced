import type { RunStore } from '@sluice/ports';
import { StoreUnavailable } from '@sluice/ports';

/**
 * The store's calls on the way of an event, repeated until it answers: while Postgres is down processing stops and
 * resumes by itself. All of them may be repeated: their writes are idempotent and fenced.
 * `stopped` ends the waiting with the error.
 */
export function retryingStore(store: RunStore, options: { sleep(ms: number): Promise<void>; stopped(): boolean; onWait(error: StoreUnavailable): void }): RunStore {
  const withRetries = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, 2_000)) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || options.stopped()) throw error;
        options.onWait(error);
        await options.sleep(waitMs);
      }
    }
  };
  return {
    ...store,
    finished: (units) => withRetries(() => store.finished(units)),
    settle: (settlements, owned) => withRetries(() => store.settle(settlements, owned)),
    mappings: (keys) => withRetries(() => store.mappings(keys)),
    haveNewerWrites: (asked) => withRetries(() => store.haveNewerWrites(asked)),
    claim: (...input) => withRetries(() => store.claim(...input)),
    heldOrderings: (...input) => withRetries(() => store.heldOrderings(...input)),
    heldConnectors: (...input) => withRetries(() => store.heldConnectors(...input)),
    heldScopesDue: (...input) => withRetries(() => store.heldScopesDue(...input)),
    heldScopesOfLanes: (...input) => withRetries(() => store.heldScopesOfLanes(...input)),
    heldRows: (...input) => withRetries(() => store.heldRows(...input)),
  };
}
