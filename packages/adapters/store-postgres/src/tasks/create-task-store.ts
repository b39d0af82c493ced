import type { NewTask, TaskStore } from '@sluice/ports';
import type { Pool } from 'pg';
import { bulkParameter, bulkRows, keyText, storable } from '../bulk-rows';
import { retried } from '../transaction';
import { claimTasks } from './claim-tasks';
import { tasksOverview } from './tasks-overview';

const added = bulkRows({ worker: 'text', key: 'text', tenant: 'text', due_in_ms: 'float8' });
const named = bulkRows({ worker: 'text', key: 'text' });
const runs = bulkRows({ worker: 'text', key: 'text', epoch: 'bigint', lease_ms: 'integer' });

const addSql = `
  INSERT INTO background_tasks AS t (worker, key, tenant, due_at, free_at)
  SELECT worker, key, tenant, due, due FROM (
    SELECT worker, key, tenant, now() + due_in_ms * interval '1 millisecond' AS due FROM ${added.from} ORDER BY worker, key) r
  ON CONFLICT (worker, key)`;

const ensureSql = `${addSql} DO NOTHING`;

/** A task that runs is marked, its end makes it due. */
const wakeSql = `${addSql} DO UPDATE SET
  woken = t.owner IS NOT NULL,
  due_at = CASE WHEN t.owner IS NULL THEN least(t.due_at, excluded.due_at) ELSE t.due_at END,
  free_at = CASE WHEN t.owner IS NULL THEN least(t.free_at, excluded.free_at) ELSE t.free_at END`;

const removeSql = `DELETE FROM background_tasks t USING ${named.from} WHERE t.worker = r.worker AND t.key = r.key`;

/** Waits for nobody: a claim of another process, which has the row locked, shows in the next renewal. */
const renewSql = `
  WITH mine AS (
    SELECT t.worker, t.key, r.lease_ms FROM background_tasks t JOIN ${runs.from} ON t.worker = r.worker AND t.key = r.key
    WHERE t.epoch = r.epoch AND t.owner = $2 FOR NO KEY UPDATE OF t SKIP LOCKED
  ), renewed AS (
    UPDATE background_tasks t SET free_at = clock_timestamp() + m.lease_ms * interval '1 millisecond'
    FROM mine m WHERE t.worker = m.worker AND t.key = m.key
  )
  SELECT r.worker, r.key, r.epoch FROM ${runs.from} WHERE NOT EXISTS (
    SELECT FROM background_tasks t WHERE t.worker = r.worker AND t.key = r.key AND t.epoch = r.epoch AND t.owner = $2)`;

/** A task that was woken while it ran is due at once, also when the run says that there is nothing more to do. */
const finishSql = `
  WITH mine AS (
    SELECT worker, key, woken, CASE WHEN woken THEN now() ELSE coalesce($4, now() + $5::float8 * interval '1 millisecond') END AS next
    FROM background_tasks WHERE worker = $1 AND key = $2 AND epoch = $3 AND owner IS NOT NULL FOR UPDATE
  ), gone AS (
    DELETE FROM background_tasks t USING mine m WHERE t.worker = m.worker AND t.key = m.key AND m.next IS NULL
  ), ended AS (
    UPDATE background_tasks t
    SET due_at = m.next, free_at = m.next, last_owner = t.owner, owner = NULL, ended_at = now(), error = $6, woken = false,
      attempts = CASE WHEN $7 AND NOT m.woken THEN t.attempts ELSE 0 END
    FROM mine m WHERE t.worker = m.worker AND t.key = m.key AND m.next IS NOT NULL
  )
  SELECT 1 FROM mine`;

const releaseSql = `
  UPDATE background_tasks t SET owner = NULL, last_owner = t.owner, free_at = t.due_at, woken = false, attempts = greatest(0, t.attempts - 1)
  FROM ${runs.from} WHERE t.worker = r.worker AND t.key = r.key AND t.epoch = r.epoch AND t.owner IS NOT NULL`;

/** Their runs count as tries: the process may have ended because of one. */
const releaseOwnedSql = `
  UPDATE background_tasks SET owner = NULL, last_owner = owner, free_at = due_at, woken = false WHERE owner = $1`;

const rowsOf = (tasks: readonly NewTask[]): string => bulkParameter(
  tasks.map(({ worker, key, tenant = '', dueInMs = 0 }) => ({ worker, key: keyText(key), tenant, due_in_ms: dueInMs })),
);
/** The last error of a task, in characters. */
const errorLength = 500;

/** Tasks with leases on the table background_tasks. All times are the database's. */
export function createTaskStore(pool: Pool): TaskStore {
  return {
    ensure: async (tasks) => {
      if (tasks.length > 0) await retried(() => pool.query(ensureSql, [rowsOf(tasks)]));
    },
    wake: async (tasks) => {
      if (tasks.length > 0) await retried(() => pool.query(wakeSql, [rowsOf(tasks)]));
    },
    remove: async (tasks) => {
      const rows = tasks.map(({ worker, key }) => ({ worker, key: keyText(key) }));
      if (tasks.length > 0) await retried(() => pool.query(removeSql, [bulkParameter(rows)]));
    },
    claim: (owner, requests) => claimTasks(pool, owner, requests),
    renew: async (owner, held) => {
      if (held.length === 0) return [];
      const rows = held.map(({ worker, key, epoch, leaseMs }) => ({ worker, key, epoch: String(epoch), lease_ms: leaseMs }));
      const lost = await retried(() => pool.query({ name: 'renew-tasks', text: renewSql, values: [bulkParameter(rows), owner] }));
      return lost.rows.map(({ worker, key, epoch }) => ({ worker, key, epoch: BigInt(epoch) }));
    },
    finish: async ({ worker, key, epoch }, { next, error, retry }) => {
      const [at, inMs] = next === 'removed' ? [null, null] : 'dueAt' in next ? [next.dueAt, null] : [null, next.dueInMs];
      const text = error === null ? null : storable(error.slice(0, errorLength));
      const { rowCount } = await retried(() => pool.query(finishSql, [worker, key, String(epoch), at, inMs, text, retry]));
      return rowCount === 1;
    },
    release: async (fences) => {
      const rows = fences.map(({ worker, key, epoch }) => ({ worker, key, epoch: String(epoch) }));
      if (fences.length > 0) await retried(() => pool.query(releaseSql, [bulkParameter(rows)]));
    },
    releaseOwned: async (owner) => void (await retried(() => pool.query(releaseOwnedSql, [owner]))),
    overview: () => tasksOverview(pool),
  };
}
