import { defineWorker, type Worker } from '@sluice/background';
import type { BlobStore, ExportStore } from '@sluice/ports';
import { packageFolder } from '../prepare/preparation';

export interface SweepDeps {
  exports: Pick<ExportStore, 'expire' | 'leftPackages' | 'packageDeleted'>;
  blobs: Pick<BlobStore, 'delete'>;
  /** Milliseconds between two sweeps. */
  everyMs: number;
}

const leaseMs = 30_000;
/** Exports, and packages, of one step. */
const portion = 100;

/** Expires packages whose time is over, and deletes what no export needs any more from the blob store. */
export function sweepWorker({ exports, blobs, everyMs }: SweepDeps): Worker {
  return defineWorker({
    name: 'exports.sweep',
    schedule: { every: everyMs },
    leaseMs,
    run: async ({ signal, logger }) => {
      while (!signal.aborted && (await exports.expire(portion)) === portion) continue;
      let deleted = 0;
      for (let left = await exports.leftPackages(portion); left.length > 0; left = await exports.leftPackages(portion)) {
        for (const one of left) {
          if (signal.aborted) return;
          await blobs.delete(one.key);
          await exports.packageDeleted(one);
          deleted += 1;
        }
      }
      if (deleted > 0) logger.info('packages of data exports deleted', { folder: packageFolder, deleted });
    },
  });
}
