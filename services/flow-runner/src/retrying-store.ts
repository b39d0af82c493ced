import type { RunStore } from '@sluice/ports';
import { retry, StoreUnavailable } from '@sluice/ports';

const [firstWaitMs, longestWaitMs] = [100, 2_000];

/**
 * Repeats the store's calls that the processing of an event needs until they succeed: while Postgres is down, processing stops
 * and resumes by itself. All of them may be repeated: their writes are idempotent and fenced. `stopped` ends the waiting with the
 * error.
 */
export function retryingStore(
  store: RunStore,
  options: { sleep(ms: number): Promise<void>; stopped(): boolean; onWait(error: StoreUnavailable): void },
): RunStore {
  const withRetries = <T,>(work: () => Promise<T>): Promise<T> =>
    retry(work, async (error, tries) => {
      if (!(error instanceof StoreUnavailable) || options.stopped()) throw error;
      options.onWait(error);
      await options.sleep(Math.min(firstWaitMs * 2 ** (tries - 1), longestWaitMs));
    });
  return {
    ...store,
    finished: (units) => withRetries(() => store.finished(units)),
    settle: (...input) => withRetries(() => store.settle(...input)),
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
