import {
  type DataExportError, type DataExportRun, type DataExportTurn, type ExportStore, type Fence, type FinishedPackage,
} from '@sluice/ports';
import type { Pool, PoolClient } from 'pg';
import { asId, inTransaction as inPrismaTransaction } from '../config-client/config-client';
import { mapStoreOutage } from '../config-client/store-errors';
import type { PrismaClient } from '../generated/client';
import { assertFence } from '../tasks/assert-fence';
import { inTransaction, retried } from '../transaction';
import { exportColumns, exportOf } from './export-row';
import { requestExport } from './request-export';

/** Data exports on Postgres. What a request changes is written to the audit log in its transaction. */
export function createExportStore(pool: Pool, prisma: PrismaClient): ExportStore {
  const read = async (where: string, values: unknown[]) => {
    const { rows } = await retried(() => pool.query(`SELECT ${exportColumns} FROM data_exports e ${where}`, values));
    return rows.map(exportOf);
  };
  return mapStoreOutage<ExportStore>({
    request: (asked) => inPrismaTransaction(prisma, (tx) => requestExport(tx, asked)),
    list: (organizationId, limit) =>
      read('WHERE organization_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2', [asId(organizationId), limit]),
    get: async (organizationId, id) =>
      (await read('WHERE id = $1 AND organization_id = $2', [asId(id), asId(organizationId)]))[0] ?? null,
    find: (id) => findExport(pool, id),
    begin: (fence, id, packageKey) => inTransaction(pool, (client) => beginRun(client, fence, id, packageKey)),
    progress: (fence, run, { done, total }) => inTransaction(pool, async (client) => {
      await assertFence(client, fence);
      const turn = await turnOf(client, run);
      if (turn === 'go_on')
        await client.query('UPDATE data_exports SET rows_done = $2, rows_total = $3 WHERE id = $1', [run.export.id, done, total]);
      return turn;
    }),
    complete: (fence, run, finished) => inTransaction(pool, (client) => complete(client, fence, run, finished)),
    fail: async (id, error) => void (await retried(() => pool.query(failSql, [asId(id), error]))),
    expire: (most) => inTransaction(pool, (client) => expire(client, most)),
    leftPackages: async (most) => {
      const { rows } = await retried(() => pool.query<{ id: string; key: string }>(leftSql, [most]));
      return rows;
    },
    packageDeleted: async ({ id, key }) => {
      const sql = 'UPDATE data_exports SET stored_keys = array_remove(stored_keys, $2) WHERE id = $1';
      await retried(() => pool.query(sql, [asId(id), key]));
    },
  });
}

const failSql = `UPDATE data_exports SET status = 'failed', error = $2 WHERE id = $1 AND status IN ('queued', 'running')`;

/** A run that is under way may still store its package: what it stores is listed again once the export is over. */
const leftSql = `
  SELECT e.id, k.key FROM data_exports e CROSS JOIN LATERAL unnest(e.stored_keys) k(key)
  WHERE e.stored_keys <> '{}' AND e.status IN ('completed', 'failed', 'expired') AND k.key IS DISTINCT FROM e.package_key
  LIMIT $1`;

async function findExport(pool: Pool, id: string): ReturnType<ExportStore['find']> {
  const sql = `SELECT ${exportColumns}, o.state FROM data_exports e JOIN organizations o ON o.id = e.organization_id WHERE e.id = $1`;
  const { rows } = await retried(() => pool.query(sql, [asId(id)]));
  return rows[0] ? { export: exportOf(rows[0]), organizationState: rows[0].state } : null;
}

async function beginRun(client: PoolClient, fence: Fence, id: string, packageKey: string): Promise<DataExportRun | null> {
  await assertFence(client, fence);
  const sql = `
    SELECT e.status, o.state, e.connector_id IS NOT NULL AND c.id IS NULL AS gone
    FROM data_exports e JOIN organizations o ON o.id = e.organization_id
      LEFT JOIN connectors c ON c.id = e.connector_id AND c.deleted_at IS NULL
    WHERE e.id = $1 FOR UPDATE OF e`;
  const { rows: [found] } = await client.query<{ status: string; state: string; gone: boolean }>(sql, [asId(id)]);
  if (!found || !['queued', 'running'].includes(found.status)) return null;
  const refusal: DataExportError | null =
    found.state === 'closed' ? 'organization_closed' : found.gone ? 'scope_not_found' : null;
  if (refusal) {
    await client.query(failSql, [id, refusal]);
    return null;
  }
  const { rows: [row] } = await client.query(
    `UPDATE data_exports e SET status = 'running', started_at = coalesce(started_at, now()), rows_done = 0,
       stored_keys = array_append(stored_keys, $2) WHERE id = $1 RETURNING ${exportColumns}`,
    [id, packageKey],
  );
  return { export: exportOf(row), generation: row.generation };
}

async function turnOf(client: PoolClient, { export: { id }, generation }: DataExportRun): Promise<DataExportTurn> {
  const sql = `SELECT status, generation FROM data_exports WHERE id = $1 FOR UPDATE`;
  const { rows: [row] } = await client.query<{ status: string; generation: number }>(sql, [id]);
  if (row?.status !== 'running') return 'ended';
  return row.generation === generation ? 'go_on' : 'again';
}

async function complete(
  client: PoolClient, fence: Fence, run: DataExportRun, { key, sizeBytes, categories, rows, ttlMs }: FinishedPackage,
): Promise<DataExportTurn> {
  await assertFence(client, fence);
  const turn = await turnOf(client, run);
  if (turn !== 'go_on') return turn;
  await client.query(
    `UPDATE data_exports SET status = 'completed', completed_at = now(), package_key = $2, size_bytes = $3, categories = $4,
       expires_at = now() + $6::float8 * interval '1 millisecond', rows_done = $5, rows_total = $5 WHERE id = $1`,
    [run.export.id, key, sizeBytes, categories, rows, ttlMs],
  );
  return turn;
}

async function expire(client: PoolClient, most: number): Promise<number> {
  const expired = await client.query(
    `UPDATE data_exports SET status = 'expired', package_key = NULL WHERE id IN (
       SELECT e.id FROM data_exports e JOIN organizations o ON o.id = e.organization_id
       WHERE e.status = 'completed' AND (e.expires_at <= now() OR o.state = 'closed') LIMIT $1 FOR UPDATE OF e SKIP LOCKED)`,
    [most],
  );
  const failed = await client.query(
    `UPDATE data_exports SET status = 'failed', error = 'organization_closed' WHERE id IN (
       SELECT e.id FROM data_exports e JOIN organizations o ON o.id = e.organization_id
       WHERE e.status IN ('queued', 'running') AND o.state = 'closed' LIMIT $1 FOR UPDATE OF e SKIP LOCKED)`,
    [most],
  );
  return (expired.rowCount ?? 0) + (failed.rowCount ?? 0);
}
