import { cancelVerdict } from '@sluice/contracts';
import {
  type BulkImport, type ImportStop, type ImportStore, importWorkerName, keptForEver, noteAudit, type Retention,
} from '@sluice/ports';
import type { Pool } from 'pg';
import { asId, inTransaction as inPrisma, type Transaction } from '../config-client/config-client';
import { mapStoreOutage } from '../config-client/store-errors';
import type { PrismaClient } from '../generated/client';
import { addTask } from '../tasks/tasks-in-transaction';
import { keptRows } from '../kept-rows';
import { inTransaction, retried } from '../transaction';
import { addImportRows } from './add-import-rows';
import { importColumns, importedRowOf, importOf, rowError, rowErrorCode, rowsOfStatus, rowStatus } from './import-sql';
import { deleteImports } from './delete-imports';
import { retryImport } from './retry-import';
import { published, runImport } from './run-import';

/** Bulk imports on Postgres. What a request changes is written to the audit log in its transaction. */
export function createImportStore(pool: Pool, prisma: PrismaClient, retention: Retention = keptForEver): ImportStore {
  const isShown = `j.status <> 'receiving' AND ${keptRows(retention).isKeptJob('j')}`;
  const query = async <T>(sql: string, values: unknown[]): Promise<T[]> =>
    (await retried(() => pool.query(sql, values))).rows as T[];
  return mapStoreOutage<ImportStore>({
    begin: async ({ id, organizationId, connectorId, entity, eventType, requestId, acceptedAt }) => {
      await query(
        `INSERT INTO bulk_imports (id, organization_id, connector_id, entity, event_type, request_id, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [id, asId(organizationId), asId(connectorId), entity, eventType, requestId, acceptedAt],
      );
    },
    addRows: (id, rows) => addImportRows(pool, id, rows),
    accept: (id, options) => inPrisma(prisma, (tx) => accept(tx, id, options)),
    abandon: (id) => inTransaction(pool, async (client) => {
      const { rowCount } = await client.query("DELETE FROM bulk_imports WHERE id = $1 AND status = 'receiving'", [id]);
      if (rowCount === 1) await client.query('DELETE FROM bulk_import_rows WHERE import_id = $1', [id]);
    }),
    abandonOld: (olderThanMs) => deleteImports(pool, "status = 'receiving' AND created_at", olderThanMs),
    deleteOld: async (olderThanMs) =>
      (await deleteImports(pool, "status <> 'receiving' AND completed_at", olderThanMs)) > 0,
    get: async (connectorId, id) =>
      (await readImports(query, isShown, 'AND j.id = $2', [asId(connectorId), asId(id)]))[0] ?? null,
    list: (connectorId, page) => list(query, isShown, connectorId, page),
    rows: (connectorId, id, asked) => rowsOf(query, isShown, connectorId, id, asked),
    cancel: (connectorId, id) => inPrisma(prisma, (tx) => cancel(tx, isShown, asId(connectorId), asId(id))),
    retry: (connectorId, id) => inPrisma(prisma, (tx) => retryImport(tx, isShown, asId(connectorId), asId(id)), retryMs),
    reserved: async (id, rows) =>
      void (await query('UPDATE bulk_imports SET rows_reserved = rows_reserved + $2 WHERE id = $1', [id, rows])),
    unwritten: async (id) => {
      const [found] = await query<Unwritten>(unwrittenSql, [asId(id)]);
      if (!found) return null;
      return { rows: found.rows, acceptedAt: found.created_at, underWay: found.under_way, endedMsAgo: found.ended_ms_ago };
    },
    stopOf: async (id) => (await query<{ stop: ImportStop | null }>(stopSql, [asId(id)]))[0]?.stop ?? null,
    ...runImport(pool),
  });
}

/** Milliseconds in which all rows of an import may be marked for another turn. */
const retryMs = 120_000;

type Query = <T>(sql: string, values: unknown[]) => Promise<T[]>;

interface Unwritten {
  rows: number;
  created_at: Date;
  under_way: number;
  ended_ms_ago: number;
}

const unwrittenSql = `SELECT greatest(0, j.rows_reserved - j.rows_written) AS rows, j.created_at,
    (extract(epoch FROM now() - j.completed_at) * 1000)::float8 AS ended_ms_ago,
    (SELECT count(*)::int FROM bulk_import_rows r WHERE r.import_id = j.id AND ${published}) AS under_way
  FROM bulk_imports j WHERE j.id = $1 AND j.status NOT IN ('receiving', 'queued', 'running', 'held')`;
const stopSql = 'SELECT stop FROM bulk_imports WHERE id = $1';

async function readImports(query: Query, isShown: string, more: string, values: unknown[]): Promise<BulkImport[]> {
  const sql = `SELECT ${importColumns} FROM bulk_imports j WHERE j.connector_id = $1 AND ${isShown} ${more}`;
  return (await query(sql, values)).map(importOf);
}

async function list(
  query: Query, isShown: string, connectorId: string, { limit, offset }: { limit: number; offset: number },
) {
  const id = asId(connectorId);
  const countSql = `SELECT count(*)::int AS total FROM bulk_imports j WHERE j.connector_id = $1 AND ${isShown}`;
  const [items, [counted]] = await Promise.all([
    readImports(query, isShown, 'ORDER BY j.created_at DESC, j.id LIMIT $2 OFFSET $3', [id, limit, offset]),
    query<{ total: number }>(countSql, [id]),
  ]);
  return { items, total: counted!.total };
}

async function rowsOf(
  query: Query, isShown: string, connectorId: string, id: string, { status, after, limit }: Parameters<ImportStore['rows']>[2],
): ReturnType<ImportStore['rows']> {
  const [found] = await readImports(query, isShown, 'AND j.id = $2', [asId(connectorId), asId(id)]);
  if (!found) return null;
  const sql = `
    SELECT r.line, r.external_id, ${rowStatus} AS status, r.crm_id, ${rowError} AS error, ${rowErrorCode} AS error_code
    FROM bulk_import_rows r JOIN bulk_imports j ON j.id = r.import_id
    WHERE r.import_id = $1 AND r.line > $2 ${status === undefined ? '' : `AND ${rowsOfStatus[status]}`}
    ORDER BY r.line LIMIT $3`;
  return (await query(sql, [found.id, after, limit])).map(importedRowOf);
}

/** The connector is locked, so that its deletion comes before or after. */
async function accept(
  tx: Transaction, id: string, { reserved, held }: Parameters<ImportStore['accept']>[1],
): Promise<BulkImport | null> {
  const rows = await tx.$queryRawUnsafe<unknown[]>(
    `WITH counted AS (
       SELECT count(*)::int AS rows, count(*) FILTER (WHERE status = 'failed')::int AS failed
       FROM bulk_import_rows WHERE import_id = $1::uuid),
     connector AS (
       SELECT c.id FROM connectors c JOIN bulk_imports i ON i.connector_id = c.id WHERE i.id = $1::uuid AND c.deleted_at IS NULL
       FOR KEY SHARE OF c)
     UPDATE bulk_imports j SET status = CASE WHEN $3 THEN 'held' ELSE 'queued' END, held_since = CASE WHEN $3 THEN now() END,
       rows_total = counted.rows, rows_failed = counted.failed, rows_reserved = $2
     FROM counted, connector WHERE j.id = $1::uuid AND j.status = 'receiving' RETURNING ${importColumns}`,
    id, reserved, held,
  );
  if (rows.length === 0) return null;
  const accepted = importOf(rows[0]);
  await addTask(tx, { worker: importWorkerName, key: id, tenant: accepted.organizationId });
  noteAudit({ targetId: id });
  return accepted;
}

async function cancel(
  tx: Transaction, isShown: string, connectorId: string, id: string,
): Promise<BulkImport | null> {
  const [found] = await tx.$queryRawUnsafe<unknown[]>(
    `SELECT ${importColumns} FROM bulk_imports j
     WHERE j.connector_id = $1::uuid AND j.id = $2::uuid AND ${isShown} FOR UPDATE`, connectorId, id,
  );
  if (!found) return null;
  const before = importOf(found);
  if (cancelVerdict(before.status) !== 'cancel') return before;
  const [after] = await tx.$queryRawUnsafe<unknown[]>(
    `UPDATE bulk_imports j SET status = 'cancelled', stop = 'cancelled', held_since = NULL, completed_at = now()
     WHERE j.id = $1::uuid RETURNING ${importColumns}`, id,
  );
  return importOf(after);
}

