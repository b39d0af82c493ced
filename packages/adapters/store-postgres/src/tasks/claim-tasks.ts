import type { ClaimRequest, TaskRun, TaskStore } from '@sluice/ports';
import type { Pool } from 'pg';
import { bulkParameter, bulkRows } from '../bulk-rows';
import { retried } from '../transaction';

const requests = bulkRows({ worker: 'text', places: 'integer', lease_ms: 'integer', except_tenants: 'text[]' });

/**
 * Rows that another claim has locked are passed over. The index on `free_at` can use `now()`, the start of the statement.
 * An epoch is at least the time in milliseconds: a task that was removed and added again, or that a restored database has
 * in an earlier state, never gets one that a run may still have.
 */
const claimSql = `
  WITH wanted AS MATERIALIZED (SELECT ${requests.values} FROM ${requests.from}),
  picked AS (
    SELECT t.worker, t.key, w.lease_ms FROM wanted w(worker, places, lease_ms, except_tenants) CROSS JOIN LATERAL (
      SELECT b.worker, b.key FROM background_tasks b
      WHERE b.worker = w.worker AND b.free_at <= now() AND b.tenant <> ALL (w.except_tenants)
      ORDER BY b.free_at LIMIT w.places FOR UPDATE SKIP LOCKED) t
  )
  UPDATE background_tasks t SET
    owner = $2, epoch = greatest(t.epoch + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint), attempts = t.attempts + 1,
    free_at = clock_timestamp() + p.lease_ms * interval '1 millisecond', started_at = clock_timestamp(), woken = false
  FROM picked p WHERE t.worker = p.worker AND t.key = p.key
  RETURNING t.worker, t.key, t.tenant, t.epoch, t.due_at, t.attempts, t.started_at`;

const nextSql = `
  SELECT ceil(extract(epoch FROM min(t.free_at) - clock_timestamp()) * 1000)::float8 AS next_ms
  FROM unnest($1::text[]) w(worker) CROSS JOIN LATERAL (
    SELECT b.free_at FROM background_tasks b WHERE b.worker = w.worker ORDER BY b.free_at LIMIT 1) t`;

export async function claimTasks(pool: Pool, owner: string, wanted: readonly ClaimRequest[]): ReturnType<TaskStore['claim']> {
  if (wanted.length === 0) return { runs: [], nextInMs: null };
  const rows = wanted.map(({ worker, limit, leaseMs, exceptTenants }) => ({
    worker, places: limit, lease_ms: leaseMs, except_tenants: JSON.stringify(exceptTenants),
  }));
  const claimed = await retried(() =>
    pool.query({ name: 'claim-tasks', text: claimSql, values: [bulkParameter(rows), owner] }));
  const workers = wanted.map(({ worker }) => worker);
  const next = await retried(() => pool.query({ name: 'next-task', text: nextSql, values: [workers] }));
  const nextMs: number | null = next.rows[0].next_ms;
  const runs = claimed.rows.map((row): TaskRun => ({
    worker: row.worker, key: row.key, tenant: row.tenant, epoch: BigInt(row.epoch),
    dueAt: row.due_at, attempt: row.attempts, claimedAt: row.started_at,
  }));
  runs.sort((one, other) => one.dueAt.getTime() - other.dueAt.getTime());
  return { runs, nextInMs: nextMs && Math.max(0, nextMs) };
}
