import type { RunStore } from '@sluice/ports';
import { StoreUnavailable } from '@sluice/ports';

/**
 * The store's calls on the way of an event, repeated until it answers: while Postgres is down processing stops and
 * resumes by itself. All of them may be repeated: their writes are idempotent and fenced.
 * `stopped` ends the waiting with the error.
 */
export function patientStore(store: RunStore, options: { sleep(ms: number): Promise<void>; stopped(): boolean; onWait(error: StoreUnavailable): void }): RunStore {
  const patiently = async <T>(work: () => Promise<T>): Promise<T> => {
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
    finished: (units) => patiently(() => store.finished(units)),
    settle: (settlements, owned) => patiently(() => store.settle(settlements, owned)),
    mappings: (keys) => patiently(() => store.mappings(keys)),
    haveNewerWrites: (asked) => patiently(() => store.haveNewerWrites(asked)),
    claim: (...input) => patiently(() => store.claim(...input)),
    heldOrderings: (...input) => patiently(() => store.heldOrderings(...input)),
    heldConnectors: (...input) => patiently(() => store.heldConnectors(...input)),
    heldScopesDue: (...input) => patiently(() => store.heldScopesDue(...input)),
    heldScopesOfLanes: (...input) => patiently(() => store.heldScopesOfLanes(...input)),
    heldRows: (...input) => patiently(() => store.heldRows(...input)),
  };
}
