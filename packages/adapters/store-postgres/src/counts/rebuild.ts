import type { Fence } from '@sluice/ports';
import type { Pool, QueryConfig } from 'pg';
import { assertFence } from '../tasks/assert-fence';
import { inTransaction } from '../transaction';
import { countHoursAndDaysSql } from './record-minutes';

const minutesGone = 'DELETE FROM record_minutes WHERE at < $1';
const records = '(SELECT * FROM sync_events WHERE completed_at < $1) ended';
/** Rows of bulk imports count once they are written. */
const events = `(
  SELECT organization_id, connector_id, accepted_at, source_name FROM event_index WHERE accepted_at < $1 AND run = 'first'
  UNION ALL SELECT i.organization_id, i.connector_id, i.created_at, 'event_api' FROM bulk_imports i
    JOIN bulk_import_rows r ON r.import_id = i.id WHERE i.created_at < $1 AND r.written) accepted`;

/** A statement of a rebuild reads every row that is kept: a minute or two for 50 million, more on a busy machine. */
const longestMs = 1_800_000;

/** A statement for which the client waits as long as the server works on it, not only as long as for those of requests. */
const patient = (text: string, values: unknown[]): QueryConfig & { query_timeout: number } =>
  ({ text, values, query_timeout: longestMs });

/**
 * Counts everything again that ended or was accepted before a full UTC hour. Record counts of that time change no more, because
 * rows end now; the event index may still write events that were accepted then, so it waits for this transaction. What lies
 * before the oldest row that is kept stays as it was counted.
 */
export async function rebuild(pool: Pool, until: Date, fence: Fence): Promise<void> {
  const hour = new Date(Math.floor(until.getTime() / 3_600_000) * 3_600_000);
  await inTransaction(pool, async (client) => {
    await assertFence(client, fence);
    await client.query(`SET LOCAL statement_timeout = ${longestMs}`);
    const ask = (text: string, values: unknown[] = []) => client.query(patient(text, values));
    const run = (sql: string): Promise<unknown> => ask(sql, [hour]);
    const oldest = async (table: string, column: string): Promise<Date> =>
      (await ask(`SELECT coalesce(min(${column}), now()) AS at FROM ${table}`)).rows[0].at;
    const [record, event] = [await oldest('sync_events', 'completed_at'), await oldest('event_index', 'accepted_at')];
    const gone = async (table: string, from: Date, unit: 'hour' | 'day'): Promise<unknown> =>
      ask(`DELETE FROM ${table} WHERE at < $1 AND at >= date_trunc('${unit}', $2::timestamptz, 'UTC')`, [hour, from]);
    await run(minutesGone);
    await gone('record_hours', record, 'hour');
    await gone('record_days', record, 'day');
    await run(countHoursAndDaysSql(records));
    // From here on writers of the event index wait: most of the work is done.
    await ask('LOCK TABLE event_minutes IN SHARE ROW EXCLUSIVE MODE');
    await run('DELETE FROM event_minutes WHERE at < $1');
    await gone('event_hours', event, 'hour');
    await gone('event_days', event, 'day');
    await run(`INSERT INTO event_hours (connector_id, at, events)
      SELECT connector_id, date_trunc('hour', accepted_at, 'UTC'), count(*) FROM ${events} GROUP BY 1, 2 ON CONFLICT DO NOTHING`);
    await run(`INSERT INTO event_days (organization_id, connector_id, at, source_name, events)
      SELECT min(organization_id::text)::uuid, connector_id, date_trunc('day', accepted_at, 'UTC'), source_name, count(*)
      FROM ${events} GROUP BY 2, 3, 4 ON CONFLICT DO NOTHING`);
  });
}
