import { randomUUID } from 'node:crypto';
import { type Fence, importRunOf, importWorkerName, type ImportRowEnd, type NewImportRow, type Retention } from '@sluice/ports';
import { aRow, aSettlement, aUnit, goodAnswer, newConnector } from '@sluice/ports/testing';
import { preparedDatabase } from '@sluice/testkit';
import { createConfigStore } from '../../config';
import { createPool } from '../../create-pool';
import { createPrisma } from '../../create-prisma';
import { createEventIndex } from '../../event-index/create-event-index';
import { migrate } from '../../migrations/migrate';
import { createRunStore } from '../../run/create-run-store';
import { createTaskStore } from '../../tasks/create-task-store';
import { createImportStore } from '../create-import-store';

type End = Partial<ImportRowEnd> & Pick<ImportRowEnd, 'line' | 'status'>;

export const row = (line: number): NewImportRow => (
  { line, externalId: `C-${line}`, event: { id: `evt_${line}`, properties: `{"n": ${line}}` }, problem: null }
);
export const unreadable = (line: number): NewImportRow => ({ line, externalId: null, event: null, problem: 'not JSON' });

export type ImportStoreLab = Awaited<ReturnType<typeof startLab>>;

/** Imports of one connector, on a database of their own. */
export async function startLab() {
  const database = await preparedDatabase('migrated', migrate);
  const pool = createPool(database.url);
  const prisma = createPrisma(pool);
  const [store, tasks, runs] = [createImportStore(pool, prisma), createTaskStore(pool), createRunStore(pool)];
  const config = createConfigStore(prisma);
  const email = `${randomUUID()}@shop.example`;
  const account = { email, passwordHash: 'hash', organizationName: 'Shop', tier: 'free' as const };
  const { organizationId } = goodAnswer(await config.accounts.create(account));
  const { connector: { id: connectorId } } = goodAnswer(await config.connectors.create(newConnector(organizationId)));
  const ref = { topic: 'events.inbound', partition: 1 };
  const owned = await runs.ownership.acquire(ref, { owner: 'one', leaseMs: 3_600_000, graceMs: 0 });
  if (!owned.acquired) throw new Error('not free');
  const lease = { ...ref, epoch: owned.epoch };

  /** An import with rows, accepted. */
  const accepted = async (rows: NewImportRow[], options: { reserved?: number; held?: boolean; connectorId?: string } = {}) => {
    const id = randomUUID();
    const acceptedAt = new Date(Date.now() - 1_000);
    const asked = { id, organizationId, connectorId: options.connectorId ?? connectorId, requestId: 'r', acceptedAt };
    await store.begin({ ...asked, entity: 'customer', eventType: 'customer_synced' });
    await store.addRows(id, rows);
    await store.accept(id, { reserved: options.reserved ?? rows.length, held: options.held ?? false });
    return id;
  };
  /** Takes the import's task, as a worker does. */
  const taken = async (id: string): Promise<Fence> => {
    const request = { worker: importWorkerName, limit: 50, leaseMs: 60_000, exceptTenants: [] };
    const { runs: claimed } = await tasks.claim('me', [request]);
    const fence = claimed.find(({ key }) => key === id);
    if (!fence) throw new Error('no task');
    return fence;
  };
  const opened = async (id: string) => {
    const fence = await taken(id);
    return { fence, run: (await store.open(id, fence))! };
  };
  /** Ends rows as the runner does: with the outcomes of their events. */
  const end = async (id: string, ends: End[], turn: number | null = 1) => {
    await runs.settle(ends.map((one) => {
      const unit = { ...aUnit(), run: turn === null ? `replay-${randomUUID()}` : importRunOf(turn) };
      const importRow = { import_id: id, turn, crmId: null, error: null, errorCode: null, ...one };
      const verdict = { kind: 'rows' as const, rows: [aRow(unit, { connectorId })] };
      return aSettlement(lease, { unit, connectorId, importRow, verdict });
    }));
  };
  const counts = async (id: string) => {
    const found = (await store.get(connectorId, id))!;
    return [found.status, found.rowsTotal, found.rowsDone, found.rowsFailed, found.rowsSkipped, found.rowsHeld];
  };
  const lines = async (id: string, status?: 'pending' | 'held' | 'skipped' | 'failed' | 'completed' | 'parked') =>
    (await store.rows(connectorId, id, { ...(status && { status }), after: 0, limit: 50 }))!
      .map(({ line, status: is, errorCode }) => [line, is, errorCode]);
  return {
    store, tasks, config, index: createEventIndex(pool), organizationId, connectorId, pool,
    accepted, opened, end, counts, lines,
    keeping: (retention: Retention) => createImportStore(pool, prisma, retention),
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
      await database.drop();
    },
  };
}
