import { writePackage } from '@sluice/data-package';
import type {
  BlobStore, DataExportRun, DataExportTurn, ExportSnapshot, ExportSource, ExportStore, Fence, Logger,
} from '@sluice/ports';

export interface PreparationDeps {
  exports: Pick<ExportStore, 'begin' | 'progress' | 'complete'>;
  source: ExportSource;
  blobs: Pick<BlobStore, 'get' | 'putStream'>;
  /** Milliseconds for which a package is kept. */
  ttlMs: number;
  /** Milliseconds between two looks whether the export goes on. */
  lookMs: number;
}

export interface PreparationRun {
  exportId: string;
  fence: Fence;
  /** Aborts when the process stops or the lease was lost. */
  signal: AbortSignal;
  logger: Logger;
}

/** The folder of packages in the blob store. */
export const packageFolder = 'data-exports';

/** The writing was stopped, because the export is over or its scope has changed. */
class Stopped extends Error {
  override name = 'Stopped';
  constructor(readonly turn: Exclude<DataExportTurn, 'go_on'>) {
    super(`the export is ${turn === 'again' ? 'prepared again' : 'over'}`);
  }
}

/**
 * One run that prepares the package of an export: reads a snapshot, writes the archive into the blob store as it is made, and
 * completes the export. Each run stores under a key of its own, so that one that lost its task overwrites nothing.
 * @returns `again`: the scope has changed meanwhile
 */
export async function prepareExport(deps: PreparationDeps, run: PreparationRun): Promise<'done' | 'again'> {
  const key = `${packageFolder}/${run.exportId}/${run.fence.epoch}.zip`;
  const begun = await deps.exports.begin(run.fence, run.exportId, key);
  if (!begun) return 'done';
  const { organizationId, connectorId } = begun.export;
  const snapshot = await deps.source.open({ organizationId, connectorId });
  try {
    // Deleted since the run began: the next one finds that out.
    if (connectorId !== null && !snapshot.connectorIds.includes(connectorId)) return 'again';
    return await new Preparation(deps, run, begun, snapshot).store(key);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return error.turn === 'again' ? 'again' : 'done';
  } finally {
    await snapshot.close();
  }
}

/** Invariant: `stop` is what ends the writing, and is set once. */
class Preparation {
  private rows = 0;
  private stop: Error | undefined;

  constructor(
    private readonly deps: PreparationDeps,
    private readonly run: PreparationRun,
    private readonly begun: DataExportRun,
    private readonly snapshot: ExportSnapshot,
  ) {}

  async store(key: string): Promise<'done' | 'again'> {
    const { deps, run, begun } = this;
    const started = performance.now();
    const { organizationId, connectorId } = begun.export;
    const total = await this.snapshot.estimate();
    const { archive, finished } = writePackage({
      snapshot: this.snapshot, exportId: run.exportId, organizationId, connectorId,
      payload: (payloadKey) => deps.blobs.get(payloadKey),
      written: (rows) => {
        this.rows = rows;
        if (this.stop !== undefined) throw this.stop;
      },
    });
    const end = (reason: Error): void => {
      this.stop ??= reason;
      archive.destroy(reason);
    };
    const looking = setInterval(() => void this.look(total).catch((error: unknown) => end(error as Error)), deps.lookMs);
    const aborted = (): void => end(new Error('the run was stopped'));
    run.signal.addEventListener('abort', aborted, { once: true });
    try {
      const sizeBytes = await deps.blobs.putStream(key, archive);
      const { manifest, rows } = await finished;
      const categories = manifest.categories.map(({ name }) => name);
      const turn = await deps.exports.complete(run.fence, begun, { key, sizeBytes, categories, rows, ttlMs: deps.ttlMs });
      if (turn !== 'go_on') throw new Stopped(turn);
      const facts = { export_id: run.exportId, organization_id: organizationId, rows, bytes: sizeBytes };
      run.logger.info('data export prepared', { ...facts, duration_ms: Math.round(performance.now() - started) });
      return 'done';
    } catch (error) {
      throw this.stop ?? error;
    } finally {
      clearInterval(looking);
      run.signal.removeEventListener('abort', aborted);
    }
  }

  /** Tells how far the writing is. @throws Stopped when it must not go on; FenceLost */
  private async look(total: number): Promise<void> {
    const { rows: done } = this;
    const turn = await this.deps.exports.progress(this.run.fence, this.begun, { done, total: Math.max(total, done) });
    if (turn !== 'go_on') throw new Stopped(turn);
  }
}
