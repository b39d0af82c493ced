import type { Fence, ImportRun, ImportStore, RowToRun } from '@sluice/ports';
import type { Pool, PoolClient } from 'pg';
import { asId } from '../config-client/config-client';
import { assertFence } from '../tasks/assert-fence';
import { inTransaction, retried } from '../transaction';
import { importOf } from './import-sql';

type Running = Pick<ImportStore, 'open' | 'underWay' | 'progress' | 'next' | 'hold' | 'expireHeld' | 'finish' | 'fail' | 'gaveBack'>;

/** What the worker of an import does. Whatever it writes is fenced. */
export function runImport(pool: Pool): Running {
  const fenced = <T>(fence: Fence, work: (client: PoolClient) => Promise<T>): Promise<T> =>
    inTransaction(pool, async (client) => {
      await assertFence(client, fence);
      return work(client);
    });
  const rows = async (sql: string, values: unknown[]) => (await retried(() => pool.query(sql, values))).rows;
  return {
    open: (id, fence) => fenced(fence, (client) => open(client, asId(id))),
    underWay: async ({ id, turn }, after) => (await rows(underWaySql, [id, turn, after])).map(rowToRun),
    progress: async ({ id, turn }) => {
      const [found] = await rows(progressSql, [id, turn]);
      if (!found) return { underWay: 0, left: 0, isOpen: false };
      return { underWay: found.under_way, left: found.waiting - found.under_way, isOpen: found.is_open };
    },
    next: (run, fence, limit) => fenced(fence, (client) => next(client, run, limit)),
    hold: (run, fence, held) => fenced(fence, async (client) => {
      const { rows: [row] } = await client.query<{ held_since: Date | null }>(holdSql, [run.id, run.turn, held]);
      return row?.held_since ?? null;
    }),
    expireHeld: (run, fence) => fenced(fence, async (client) => void (await client.query(expireSql, [run.id, run.turn]))),
    finish: (run, fence) => fenced(fence, async (client) =>
      ((await client.query(finishSql, [run.id, run.turn])).rowCount ?? 0) > 0),
    gaveBack: (id, fence, count) => fenced(fence, async (client) => void (await client.query(gaveBackSql, [asId(id), count]))),
    fail: async (id, error) => void (await rows(failSql, [asId(id), error])),
  };
}

const isOpen = "j.id = $1 AND j.turn = $2 AND j.status IN ('queued', 'running', 'held')";
const waiting = 'j.rows_total - j.rows_done - j.rows_failed - j.rows_skipped - j.rows_cancelled';

const rowColumns = 'r.line, r.external_id, r.event_id, r.properties::text AS properties';
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- columns as they come
const rowToRun = (row: any): RowToRun => ({
  line: row.line, externalId: row.external_id, eventId: row.event_id, properties: row.properties,
});

/** Row `r` of import `j` has begun, as far as is known, and has not ended. */
export const published = "r.status = 'pending' AND r.turn = j.turn AND r.line <= j.cursor";
/** Characters of rows that a process holds at the same time, but for a single row. */
const mostCharacters = 8 * 1024 ** 2;
const mostRows = 1_000;

/** The first of some rows, in their order, that are not too much together. */
const bounded = (rows: string): string => `
  SELECT * FROM (SELECT rows.*, sum(length(rows.properties)) OVER (ORDER BY rows.line) AS characters FROM (${rows}) rows) sized
  WHERE characters <= ${mostCharacters} OR characters = length(properties) ORDER BY line`;

const underWaySql = bounded(`
  SELECT ${rowColumns} FROM bulk_imports j JOIN bulk_import_rows r ON r.import_id = j.id
  WHERE j.id = $1 AND j.turn = $2 AND r.line > $3 AND ${published} ORDER BY r.line LIMIT ${mostRows}`);
const progressSql = `
  SELECT j.status IN ('queued', 'running', 'held') AS is_open, ${waiting} AS waiting,
  (SELECT count(*)::int FROM bulk_import_rows r WHERE r.import_id = j.id AND ${published}) AS under_way
  FROM bulk_imports j WHERE j.id = $1 AND j.turn = $2`;

const openSql = `
  UPDATE bulk_imports j SET status = CASE WHEN j.status = 'held' THEN 'held' ELSE 'running' END
  WHERE j.id = $1 AND j.status IN ('queued', 'running', 'held') RETURNING j.*`;

async function open(client: PoolClient, id: string): Promise<ImportRun | null> {
  const { rows: [row] } = await client.query(openSql, [id]);
  return row ? { ...importOf(row), turn: row.turn, heldSince: row.held_since } : null;
}

const nextSql = bounded(`
  SELECT ${rowColumns} FROM bulk_import_rows r
  WHERE r.import_id = $1 AND r.status = 'pending' AND r.turn = $2 AND r.line > $3 ORDER BY r.line LIMIT $4`);

async function next(client: PoolClient, { id, turn }: ImportRun, limit: number): Promise<RowToRun[] | null> {
  const { rows: [job] } = await client.query<{ cursor: number }>(
    `SELECT j.cursor FROM bulk_imports j WHERE ${isOpen} FOR UPDATE`, [id, turn],
  );
  if (!job) return null;
  const { rows } = await client.query(nextSql, [id, turn, job.cursor, limit]);
  const last = rows.at(-1) as { line: number } | undefined;
  if (last) await client.query('UPDATE bulk_imports SET cursor = $2 WHERE id = $1', [id, last.line]);
  return rows.map(rowToRun);
}

const holdSql = `
  UPDATE bulk_imports j SET status = CASE WHEN $3 THEN 'held' ELSE 'running' END,
    held_since = CASE WHEN $3 THEN coalesce(j.held_since, now()) END
  WHERE ${isOpen} RETURNING j.held_since`;
const expireSql = `
  UPDATE bulk_imports j SET stop = 'held_expired', status = 'completed_with_errors', held_since = NULL, completed_at = now()
  WHERE ${isOpen}`;
const finishSql = `
  UPDATE bulk_imports j SET completed_at = now(), held_since = NULL,
    status = CASE WHEN j.rows_failed > 0 THEN 'completed_with_errors' ELSE 'completed' END
  WHERE ${isOpen} AND ${waiting} = 0`;
const gaveBackSql = 'UPDATE bulk_imports SET rows_reserved = rows_reserved - $2 WHERE id = $1';
const failSql = `
  UPDATE bulk_imports j SET status = 'failed', stop = 'cancelled', error = $2, completed_at = now(), held_since = NULL
  WHERE j.id = $1 AND j.status IN ('queued', 'running', 'held')`;
