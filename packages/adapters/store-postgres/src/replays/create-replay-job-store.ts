import { randomUUID } from 'node:crypto';
import { cancelVerdict } from '@sluice/contracts';
import {
  type Fence, keptForEver, type NewReplayJob, noteAudit, type ReplayJob, type ReplayJobStore, replayWorkerName, type Retention,
} from '@sluice/ports';
import type { Pool } from 'pg';
import { asId, inTransaction as inPrisma, json, type Transaction } from '../config-client/config-client';
import { mapStoreOutage } from '../config-client/store-errors';
import type { PrismaClient } from '../generated/client';
import { type KeptRows, keptRows } from '../kept-rows';
import { assertFence } from '../tasks/assert-fence';
import { inTransaction, retried } from '../transaction';
import { type ReplayJobColumns, replayJobOf } from './replay-job-row';
import { settledUnits, unitsUnderWay } from './replay-progress';
import { stepReplay } from './step-replay';

const unknownSql = ({ records }: KeptRows): string => `
  SELECT asked.id FROM unnest($2::uuid[]) asked(id) WHERE NOT EXISTS (
    SELECT FROM ${records} s WHERE s.id = asked.id AND s.connector_id = $1)`;

const finishSql = `
  UPDATE replay_jobs SET status = $2, error = $3, completed_at = now() WHERE id = $1 AND status IN ('queued', 'running')`;

/** Jobs that replay many records, on Postgres. Creation and cancellation are written to the audit log in their transactions. */
export function createReplayJobStore(
  pool: Pool, prisma: PrismaClient, retention: Retention = keptForEver,
): ReplayJobStore {
  const kept = keptRows(retention);
  return mapStoreOutage<ReplayJobStore>({
    create: (job) => inPrisma(prisma, (tx) => create(tx, job)),
    unknownIds: async (connectorId, ids) => {
      const wellFormed = ids.map((id) => asId(id));
      const { rows } = await retried(() => pool.query(unknownSql(kept), [asId(connectorId), wellFormed]));
      const unknown = new Set(rows.map((row) => row.id as string));
      return ids.filter((_, place) => unknown.has(wellFormed[place]!));
    },
    get: async (connectorId, id) => {
      const row = await prisma.replayJob.findFirst({ where: { id: asId(id), connector_id: asId(connectorId) } });
      return row && jobOf(row);
    },
    list: async (connectorId, { limit, offset }) => {
      const where = { connector_id: asId(connectorId) };
      const [rows, total] = await Promise.all([
        prisma.replayJob.findMany({ where, orderBy: [{ created_at: 'desc' }, { id: 'asc' }], take: limit, skip: offset }),
        prisma.replayJob.count({ where }),
      ]);
      return { items: rows.map(jobOf), total };
    },
    cancel: (connectorId, id) => inPrisma(prisma, (tx) => cancel(tx, asId(connectorId), asId(id))),
    open: (id, fence) => open(pool, id, fence),
    underWay: (id) => unitsUnderWay(pool, id),
    settled: (id, units) => settledUnits(pool, id, units),
    step: (id, fence, options, publish) => stepReplay(pool, kept, id, fence, options, publish),
    finish: (id, fence, end) => finish(pool, id, fence, end),
  });
}

const jobOf = (row: unknown): ReplayJob => replayJobOf(row as ReplayJobColumns);

/** The store's time: rows that end later do not belong to the job. */
async function create(tx: Transaction, asked: NewReplayJob): Promise<ReplayJob> {
  const { organizationId, connectorId, match, force, repair, dryRun, ratePerSecond, requestId } = asked;
  const [{ now }] = await tx.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
  const row = await tx.replayJob.create({
    data: {
      id: randomUUID(), organization_id: organizationId, connector_id: connectorId, status: 'queued', created_at: now,
      request: json({ match, force, dryRun, ratePerSecond, requestId, ...(repair && { repair }) }),
    },
  });
  await tx.backgroundTask.create({
    data: { worker: replayWorkerName, key: row.id, tenant: organizationId, due_at: now, free_at: now },
  });
  noteAudit({ targetId: row.id });
  return jobOf(row);
}

async function cancel(tx: Transaction, connectorId: string, id: string): Promise<ReplayJob | null> {
  const [row] = await tx.$queryRaw<ReplayJobColumns[]>`
    SELECT * FROM replay_jobs WHERE id = ${id}::uuid AND connector_id = ${connectorId}::uuid FOR UPDATE`;
  if (!row) return null;
  if (cancelVerdict(row.status) !== 'cancel') return jobOf(row);
  return jobOf(await tx.replayJob.update({ where: { id }, data: { status: 'cancelled', completed_at: new Date() } }));
}

async function open(pool: Pool, id: string, fence: Fence): Promise<ReplayJob | null> {
  return inTransaction(pool, async (client) => {
    await assertFence(client, fence);
    const { rows } = await client.query(
      `UPDATE replay_jobs SET status = 'running' WHERE id = $1 AND status IN ('queued', 'running') RETURNING *`, [asId(id)]);
    return rows.length === 0 ? null : jobOf(rows[0]);
  });
}

async function finish(
  pool: Pool, id: string, fence: Fence, { status, error }: Parameters<ReplayJobStore['finish']>[2],
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await assertFence(client, fence);
    await client.query(finishSql, [id, status, error]);
  });
}
