import {
  type NewSourceFile, type SourceFile, type SourceFileProgress, type SourceFileStore, sourceFileWorker,
} from '@sluice/ports';
import type { Pool, PoolClient } from 'pg';
import { bulkParameter, bulkRows, storable } from '../bulk-rows';
import { asId, inTransaction as inPrismaTransaction, type Transaction } from '../config-client/config-client';
import { mapStoreOutage } from '../config-client/store-errors';
import type { PrismaClient } from '../generated/client';
import { assertFence } from '../tasks/assert-fence';
import { addTask } from '../tasks/tasks-in-transaction';
import { inTransaction, retried } from '../transaction';

const progressSql = `
  UPDATE source_files SET status = 'processing', rows_total = $2, rows_queued = $3, rows_discarded = $4 WHERE id = $1`;
const endSql = `
  UPDATE source_files SET status = CASE WHEN $5::text IS NULL THEN 'completed' ELSE 'failed' END, rows_total = $2,
  rows_queued = $3,
    rows_discarded = $4, error = $5, completed_at = now(), blob_key = NULL
  WHERE id = $1`;
const stateSql = `
  UPDATE source_files SET watched_state = $5 WHERE connector_id = $1 AND source_name = $2 AND filename = $3 AND digest = $4`;
const discards = bulkRows({ line: 'bigint', reason: 'text' }, 2);
const discardSql = `
  INSERT INTO source_file_discards (file_id, line, reason) SELECT $1, line, reason FROM ${discards.from} ORDER BY line
  ON CONFLICT (file_id, line) DO NOTHING`;
/** Characters of a reason. */
const longestReason = 500;

/** Files of sources on the tables source_files and source_file_discards. An added one is audited in its transaction. */
export function createSourceFileStore(pool: Pool, prisma: PrismaClient): SourceFileStore {
  const one = async (where: string, values: unknown[]): Promise<SourceFile | null> => {
    const { rows } = await retried(() => pool.query(`SELECT * FROM source_files WHERE ${where}`, values));
    return rows[0] ? fileOf(rows[0]) : null;
  };
  const fenced = (fence: Parameters<SourceFileStore['end']>[0], work: (client: PoolClient) => Promise<void>): Promise<void> =>
    inTransaction(pool, async (client) => {
      await assertFence(client, fence);
      await work(client);
    });
  return mapStoreOutage<SourceFileStore>({
    add: (file) => inPrismaTransaction(prisma, (tx) => addFile(tx, file)),
    hasState: async ({ connectorId, name }, { filename, watchedState }) => null !== await one(
      'connector_id = $1 AND source_name = $2 AND filename = $3 AND watched_state = $4',
      [asId(connectorId), name, filename, watchedState],
    ),
    noteState: async ({ connectorId, name }, { digest, filename, watchedState }) => {
      const values = [asId(connectorId), name, filename, digest, watchedState];
      const { rowCount } = await retried(() => pool.query(stateSql, values));
      return rowCount === 1;
    },
    list: async ({ connectorId, name }, { limit, offset }) => {
      const of = [asId(connectorId), name];
      const [page, count] = await retried(() => Promise.all([
        pool.query(`SELECT * FROM source_files WHERE connector_id = $1 AND source_name = $2
          ORDER BY received_at DESC, id LIMIT $3 OFFSET $4`, [...of, limit, offset]),
        pool.query('SELECT count(*)::int AS total FROM source_files WHERE connector_id = $1 AND source_name = $2', of),
      ]));
      return { items: page.rows.map(fileOf), total: count.rows[0].total };
    },
    get: ({ connectorId, name }, id) =>
      one('id = $1 AND connector_id = $2 AND source_name = $3', [asId(id), asId(connectorId), name]),
    discarded: async (id, limit) => {
      const sql = 'SELECT line, reason FROM source_file_discards WHERE file_id = $1 ORDER BY line LIMIT $2';
      const { rows } = await retried(() => pool.query(sql, [asId(id), limit]));
      return rows.map(({ line, reason }) => ({ line: Number(line), reason }));
    },
    find: (id) => one('id = $1', [asId(id)]),
    progress: (fence, id, progress) => fenced(fence, async (client) => {
      await storeDiscards(client, id, progress);
      await client.query(progressSql, [id, ...counts(progress)]);
    }),
    end: (fence, id, progress, error) => fenced(fence, async (client) => {
      await storeDiscards(client, id, progress);
      await client.query(endSql, [id, ...counts(progress), error]);
    }),
  });
}

const counts = ({ rowsTotal, rowsQueued, rowsDiscarded }: SourceFileProgress): number[] => [rowsTotal, rowsQueued, rowsDiscarded];

async function storeDiscards(client: PoolClient, id: string, { discarded }: SourceFileProgress): Promise<void> {
  if (discarded.length === 0) return;
  const byLine = new Map(discarded.map(({ line, reason }) => [line, { line, reason: storable(reason.slice(0, longestReason)) }]));
  await client.query(discardSql, [id, bulkParameter([...byLine.values()])]);
}

async function addFile(tx: Transaction, file: NewSourceFile): ReturnType<SourceFileStore['add']> {
  const { blobKey, bytes, connectorId, digest, filename, id, name, organizationId, watchedState = null } = file;
  const [added] = await tx.$queryRaw<Row[]>`
    INSERT INTO source_files (id, connector_id, source_name, filename, digest, bytes, blob_key, watched_state)
    SELECT ${id}::uuid, s.connector_id, s.name, ${filename}, ${digest}, ${bytes}, ${blobKey}, ${watchedState}
    FROM connector_sources s JOIN connectors c ON c.id = s.connector_id
    WHERE s.connector_id = ${asId(connectorId)}::uuid AND s.name = ${name} AND s.type = 'file' AND c.deleted_at IS NULL
    ON CONFLICT (connector_id, source_name, filename, digest) DO NOTHING
    RETURNING *`;
  if (added) {
    await addTask(tx, { worker: sourceFileWorker, key: id, tenant: organizationId });
    return { file: fileOf(added), isNew: true };
  }
  const [known] = await tx.$queryRaw<Row[]>`
    SELECT * FROM source_files WHERE connector_id = ${asId(connectorId)}::uuid AND source_name = ${name}
      AND filename = ${filename} AND digest = ${digest}`;
  return known ? { file: fileOf(known), isNew: false } : null;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- columns as they come
type Row = any;

const fileOf = (row: Row): SourceFile => ({
  id: row.id,
  connectorId: row.connector_id,
  sourceName: row.source_name,
  filename: row.filename,
  bytes: Number(row.bytes),
  blobKey: row.blob_key,
  status: row.status,
  rowsTotal: Number(row.rows_total),
  rowsQueued: Number(row.rows_queued),
  rowsDiscarded: Number(row.rows_discarded),
  error: row.error,
  receivedAt: row.received_at,
  completedAt: row.completed_at,
});
