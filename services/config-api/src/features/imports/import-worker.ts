import { type Again, defineWorker, type RunContext, sleep, type Worker } from '@sluice/background';
import { stoppedReason } from '@sluice/connector-feed';
import type { ConnectorChange } from '@sluice/contracts';
import { type ImportRun, importWorkerName, type MonotonicClock, RecentRead } from '@sluice/ports';
import type { ImportDeps } from './deps';
import { ImportPace } from './import-pace';
import { publishRows } from './publish-rows';

const leaseMs = 15_000;
/** Imports that one process runs at the same time, and of them those of one organization. */
const [places, placesPerTenant] = [4, 2];
/** Waits after a failure: the log or the database is away. */
const waits = [1_000, 5_000, 15_000, 60_000];
/** How often what was published is looked at, in milliseconds. */
const lookMs = 100;
/** How often a held import looks whether its connector takes writes again; meanwhile others have its place. */
const heldLookMs = 2_000;
/** How long a connector is believed to be as it was read, in milliseconds. */
const connectorKeptMs = 500;
/** Rows that were published when an import was stopped end soon; after that what they were counted for is given back anyway. */
const [lastRowsMs, lastRowsLookMs] = [30_000, 500];

export interface ImportWorkerDeps
  extends Pick<ImportDeps, 'imports' | 'configReader' | 'intake' | 'partitions' | 'quota'> {
  /** The most rows of one import that are under way at the same time. */
  window: number;
  /** Rows that are held for longer fail. Milliseconds. */
  heldRowTtlMs: number;
  monotonicNow: MonotonicClock;
}

/** Publishing failed, or may have: the rows count as published, and are published again first. */
class NotPublished extends Error {
  override readonly name = 'NotPublished';
}

/** The worker that runs bulk imports (docs/reference/bulk-imports.md). */
export function importWorker(deps: ImportWorkerDeps): Worker {
  return defineWorker({
    name: importWorkerName, schedule: { waits }, leaseMs, places, placesPerTenant,
    run: async (context) => {
      const run = await deps.imports.open(context.key, context.fence);
      if (run) return new ImportTurn(deps, run, context).run();
      return giveBack(deps, context);
    },
  });
}

/**
 * Gives the month back what was reserved for rows that were not written, and tells the log how it ended. Rows that have begun may
 * still be written: it waits for them, and others have its place.
 */
async function giveBack({ imports, quota }: ImportWorkerDeps, { fence, key: id, tenant, logger }: RunContext): Promise<Again> {
  const rest = await imports.unwritten(id);
  if (rest === null) return undefined;
  if (rest.underWay > 0 && rest.endedMsAgo < lastRowsMs) return { dueInMs: lastRowsLookMs };
  if (rest.rows > 0) {
    // In this order nothing is given back twice: the counter is a cache of what the store says.
    await imports.gaveBack(id, fence, rest.rows);
    await quota.giveBack(tenant, rest.acceptedAt.getTime(), rest.rows);
  }
  logger.info('bulk import ended', { import_id: id, rows_given_back: rest.rows });
  return undefined;
}

/**
 * One turn of an import, for as long as this process has its task. What it must know is stored: which rows count as published
 * with the import, what became of them with the rows. So another process continues it.
 */
class ImportTurn {
  private readonly connector: RecentRead<ConnectorChange | null>;
  private readonly startedAt: number;
  private readonly pace: ImportPace;
  private heldSince: Date | null;
  /** Rows that a predecessor marked as published may not be in the log: they are published again. The runner drops doubles. */
  private caughtUp = false;

  constructor(
    private readonly deps: ImportWorkerDeps, private readonly importRun: ImportRun, private readonly context: RunContext,
  ) {
    const { configReader, monotonicNow, window } = deps;
    this.pace = new ImportPace(window, monotonicNow);
    const read = (): Promise<ConnectorChange | null> => configReader.connector(importRun.connectorId);
    this.connector = new RecentRead({ read, monotonicNow, keptMs: connectorKeptMs });
    this.startedAt = monotonicNow();
    this.heldSince = importRun.heldSince;
  }

  async run(): Promise<Again> {
    const { imports } = this.deps;
    while (!this.context.signal.aborted) {
      const connector = await this.connector.get();
      if (!connector || connector.deleted) {
        await imports.fail(this.importRun.id, 'The connector was deleted.');
        return giveBack(this.deps, this.context);
      }
      if (stoppedReason(connector) !== null) return this.held();
      const goesOn = await this.goOn(connector);
      if (!goesOn) return giveBack(this.deps, this.context);
    }
    throw new Error('The process stops.');
  }

  /** The next rows, when there is room for them. @returns false: the turn has ended */
  private async goOn(connector: ConnectorChange): Promise<boolean> {
    const { imports } = this.deps;
    const { importRun: run, context: { fence } } = this;
    if (this.heldSince !== null) this.heldSince = await imports.hold(run, fence, false);
    if (!this.caughtUp) await this.catchUp(connector);
    const { underWay, left, isOpen } = await imports.progress(run);
    if (!isOpen) return false;
    if (left === 0 && underWay === 0 && (await imports.finish(run, fence))) return false;
    const room = this.pace.room(underWay);
    if (left === 0 || room === 0) {
      await sleep(lookMs, this.context.signal);
      return true;
    }
    // Rows begin for a connector as it is now.
    const now = await this.connector.again();
    if (!now || now.deleted || stoppedReason(now) !== null) return true;
    const rows = await imports.next(run, fence, room);
    if (rows === null) return false;
    await this.publish(now, rows);
    return true;
  }

  private async catchUp(connector: ConnectorChange): Promise<void> {
    for (let after = 0; ;) {
      const rows = await this.deps.imports.underWay(this.importRun, after);
      if (rows.length === 0) break;
      await this.publish(connector, rows);
      after = rows.at(-1)!.line;
    }
    this.caughtUp = true;
  }

  /** Nothing of it may begin now. The place is free for another import. */
  private async held(): Promise<Again> {
    const { imports, heldRowTtlMs } = this.deps;
    const { importRun: run, context: { fence } } = this;
    // Rows that had begun end: after the last one there is nothing to hold.
    if (await imports.finish(run, fence)) return giveBack(this.deps, this.context);
    const since = await imports.hold(run, fence, true);
    if (since === null) return giveBack(this.deps, this.context);
    if (this.storeNow() - since.getTime() < heldRowTtlMs) return { dueInMs: Math.min(heldLookMs, heldRowTtlMs) };
    await imports.expireHeld(run, fence);
    return giveBack(this.deps, this.context);
  }

  /** The store's clock, by which it notes since when an import is held. */
  private storeNow(): number {
    return this.context.startedAt.getTime() + this.deps.monotonicNow() - this.startedAt;
  }

  private async publish(connector: ConnectorChange, rows: Parameters<typeof publishRows>[3]): Promise<void> {
    if (rows.length === 0) return;
    const refusal = await publishRows(this.deps, connector, this.importRun, rows, this.context.startedAt);
    if (refusal !== null) throw new NotPublished(`The log did not take the rows: ${refusal}.`);
    this.pace.add(rows.length);
  }
}
