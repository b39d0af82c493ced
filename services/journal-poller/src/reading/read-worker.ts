import { defineWorker, type Worker } from '@sluice/background';
import { sourceReadWorker } from '@sluice/ports';
import { readSource, type ReadSourceDeps } from './read-source';

/** How soon another process goes on with the sources of one that died. */
const leaseMs = 8_000;
/** A store or a bus that is away, or a mistake of the code: the source is tried again. */
const waits = [1_000, 5_000, 30_000, 60_000];

/** Reads every published source that is read by time; each source is a task. */
export function readWorker({ places, ...deps }: ReadSourceDeps & { places: number }): Worker {
  return defineWorker({
    name: sourceReadWorker,
    schedule: { waits },
    leaseMs,
    places,
    placesPerTenant: Math.max(1, Math.ceil(places / 4)),
    run: (context) => readSource(deps, context),
  });
}
