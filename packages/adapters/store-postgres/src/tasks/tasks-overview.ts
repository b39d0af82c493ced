import type { TaskOverview } from '@sluice/ports';
import type { Pool } from 'pg';
import { retried } from '../transaction';

const overviewSql = `
  SELECT worker, count(*)::int AS tasks, count(owner)::int AS running,
    count(*) FILTER (WHERE owner IS NULL AND free_at <= now())::int AS due,
    coalesce(max(extract(epoch FROM now() - due_at) * 1000) FILTER (WHERE owner IS NULL AND free_at <= now()), 0)::float8 AS oldest_due_ms,
    count(error)::int AS failing,
    (array_agg(coalesce(owner, last_owner) ORDER BY started_at DESC NULLS LAST))[1] AS owner,
    max(started_at) AS last_started_at, max(ended_at) AS last_ended_at,
    (array_agg(error ORDER BY ended_at DESC NULLS LAST) FILTER (WHERE error IS NOT NULL))[1] AS last_error,
    min(due_at) FILTER (WHERE owner IS NULL) AS next_due_at
  FROM background_tasks GROUP BY worker ORDER BY worker`;

/** What is known of the tasks of every worker. */
export async function tasksOverview(pool: Pool): Promise<TaskOverview[]> {
  const { rows } = await retried(() => pool.query(overviewSql));
  return rows.map((row): TaskOverview => ({
    worker: row.worker, tasks: row.tasks, running: row.running, due: row.due, oldestDueMs: row.oldest_due_ms,
    failing: row.failing, owner: row.owner, lastStartedAt: row.last_started_at, lastEndedAt: row.last_ended_at,
    lastError: row.last_error, nextDueAt: row.next_due_at,
  }));
}
