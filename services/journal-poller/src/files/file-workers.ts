import { defineWorker, type Worker } from '@sluice/background';
import { type BlobStore, sourceFileFolder, sourceFileWorker } from '@sluice/ports';
import { readFile, type ReadFileDeps } from './read-file';

const leaseMs = 8_000;
const waits = [1_000, 5_000, 30_000, 60_000];

/** Reads files that were uploaded or found; each is a task, and of an organization one is read at a time. */
export function fileWorker({ places, ...deps }: ReadFileDeps & { places: number }): Worker {
  return defineWorker({
    name: sourceFileWorker, schedule: { waits }, leaseMs, places, placesPerTenant: 1, run: (context) => readFile(deps, context),
  });
}

const hourMs = 3_600_000;

/** Deletes contents that nobody reads any more: of uploads that were cut off, of files whose end was stored before a crash. */
export function oldFilesWorker(
  { blobs, keptMs }: { blobs: Pick<BlobStore, 'deleteOlderThan'>; keptMs: number },
): Worker {
  return defineWorker({
    name: 'sources.old-files', schedule: { every: hourMs }, leaseMs: 60_000,
    run: async ({ startedAt }) => {
      await blobs.deleteOlderThan(sourceFileFolder, new Date(startedAt.getTime() - keptMs));
    },
  });
}
