import type { Fence } from '@sluice/ports';
import type { Pool, PoolClient } from 'pg';
import { assertFence } from '../tasks/assert-fence';
import { inTransaction } from '../transaction';
import { summedHistogram } from './record-minutes';

/** Minutes are kept apart for as long as something asks for them: the last hours of a series, a backlog's window. */
const minutesKeptMs = 3 * 3_600_000;
/** The timeline of a month asks for hours. */
const hoursKeptMs = 40 * 86_400_000;
/** Days of accepted events stay, because bills go by them. */
const daysKeptMs = 400 * 86_400_000;
/** Rows that one transaction adds up: writers of the same connector wait for it no longer than that takes. */
const rowsPerRound = 5_000;

/** Takes rows away and returns them, oldest first. A writer that adds to one of them meanwhile adds to a new row. */
const taken = (table: string): string => `
  DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE at < $1 ORDER BY at LIMIT ${rowsPerRound} FOR UPDATE SKIP LOCKED))
  RETURNING *`;

const recordSql = `
  WITH taken AS (${taken('record_minutes')}), hours AS (
    INSERT INTO record_hours AS h (connector_id, at, status, records, latency)
    SELECT connector_id, date_trunc('hour', at, 'UTC'), status, sum(records), ${summedHistogram} FROM taken
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (connector_id, at, status) DO UPDATE SET
      records = h.records + excluded.records, latency = sluice_add_histograms(h.latency, excluded.latency)
  ), days AS (
    INSERT INTO record_days AS d (connector_id, at, flow_name, status, records, latency)
    SELECT connector_id, date_trunc('day', at, 'UTC'), flow_name, status, sum(records), ${summedHistogram} FROM taken
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (connector_id, at, flow_name, status) DO UPDATE SET
      records = d.records + excluded.records, latency = sluice_add_histograms(d.latency, excluded.latency)
  )
  SELECT count(*)::int AS taken FROM taken`;

const eventSql = `
  WITH taken AS (${taken('event_minutes')}), hours AS (
    INSERT INTO event_hours AS h (connector_id, at, events)
    SELECT connector_id, date_trunc('hour', at, 'UTC'), sum(events) FROM taken GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (connector_id, at) DO UPDATE SET events = h.events + excluded.events
  ), days AS (
    INSERT INTO event_days AS d (organization_id, connector_id, at, source_name, events)
    SELECT min(organization_id::text)::uuid, connector_id, date_trunc('day', at, 'UTC'), source_name, sum(events) FROM taken
    GROUP BY 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (organization_id, at, connector_id, source_name) DO UPDATE SET events = d.events + excluded.events
  )
  SELECT count(*)::int AS taken FROM taken`;

/** Minutes of processes become hours in place. */
const processSql = `
  WITH taken AS (
    DELETE FROM process_minutes WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM process_minutes WHERE at < $1 AND at <> date_trunc('hour', at, 'UTC')
      ORDER BY at LIMIT ${rowsPerRound} FOR UPDATE SKIP LOCKED))
    RETURNING *
  ), hours AS (
    INSERT INTO process_minutes AS h (connector_id, at, name, value)
    SELECT connector_id, date_trunc('hour', at, 'UTC'), name, sum(value) FROM taken GROUP BY 1, 2, 3 ORDER BY 1, 3, 2
    ON CONFLICT (connector_id, name, at) DO UPDATE SET value = h.value + excluded.value
  )
  SELECT count(*)::int AS taken FROM taken`;

const startOfHour = (ms: number): Date => new Date(Math.floor(ms / 3_600_000) * 3_600_000);

/** See `MonitoringStore.fold`. Each round is a transaction of its own, fenced. */
export async function fold(pool: Pool, now: Date, fence: Fence): Promise<number> {
  const before = startOfHour(now.getTime() - minutesKeptMs);
  let rows = 0;
  for (const sql of [recordSql, eventSql, processSql]) {
    let taken = 0;
    do {
      taken = await fenced(pool, fence, async (client) => (await client.query(sql, [before])).rows[0].taken);
      rows += taken;
    } while (taken === rowsPerRound);
  }
  const hours = new Date(now.getTime() - hoursKeptMs);
  const days = new Date(now.getTime() - daysKeptMs);
  const old = [['record_hours', hours], ['event_hours', hours], ['process_minutes', hours], ['record_days', days]] as const;
  for (const [table, until] of old) await deleteBefore(pool, fence, table, until);
  return rows;
}

async function deleteBefore(pool: Pool, fence: Fence, table: string, until: Date): Promise<void> {
  const sql = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE at < $1 LIMIT ${rowsPerRound}))`;
  let deleted = 0;
  do deleted = await fenced(pool, fence, async (client) => (await client.query(sql, [until])).rowCount ?? 0);
  while (deleted === rowsPerRound);
}

function fenced<T>(pool: Pool, fence: Fence, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (client) => {
    await assertFence(client, fence);
    return work(client);
  });
}
