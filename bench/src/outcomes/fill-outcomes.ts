import type { Client } from 'pg';

/** What outcome rows are made of. */
export interface OutcomePlan {
  organizationId: string;
  /** Half of all rows are those of the first one. */
  connectorIds: readonly string[];
  rows: number;
  /** UTC days that they lie in, the present one included. */
  days: number;
}

/** Rows that one statement inserts: progress is printed in between. */
const perStatement = 250_000;

/**
 * Of a hundred records one failed, one was skipped and one was parked. $3: first number, $4: last, $5: start, $6: microseconds
 * apart.
 */
const madeSql = `
  (SELECT n, $5::timestamptz + n * ($6::bigint * interval '1 microsecond') AS at, ids.all_of[1 + CASE WHEN n % 2 = 0 THEN 0
      ELSE n / 2 % array_length(ids.all_of, 1) END] AS connector_id,
    CASE n % 100 WHEN 7 THEN 'failed' WHEN 8 THEN 'skipped' WHEN 9 THEN 'parked' ELSE 'completed' END AS status
  FROM (SELECT $2::uuid[] AS all_of) ids, generate_series($3::bigint, $4::bigint) n) made`;

const outcomesSql = (table: string, day: string): string => `
  INSERT INTO ${table} (id, created_at, organization_id, connector_id, event_id, entity_index, run, flow_name, source_name,
    event_type, entity_name, external_id, action, step_id, status, error, error_kind, error_code, crm_id, attempts, replayable,
    config_version, completed_at, steps)
  SELECT gen_random_uuid(), at, $1, connector_id, 'evt_bench_${day}_' || n, 0, 'first', 'flow ' || n % 7, 'event_api',
    'customer.saved', 'customer', 'c' || n % 100000, 'upsert', 'save', status,
    CASE WHEN status IN ('failed', 'parked') THEN 'The CRM refused the value of field ' || n % 5 END,
    CASE WHEN status = 'failed' THEN 'permanent' WHEN status = 'parked' THEN 'transient' END,
    CASE WHEN status = 'failed' THEN 'crm_rejected' WHEN status = 'parked' THEN 'crm_unavailable' END,
    CASE WHEN status = 'completed' THEN n::text END, 1, status IN ('failed', 'parked'), 1, at + interval '200 milliseconds', '[]'
  FROM ${madeSql}`;

const indexSql = (day: string): string => `
  INSERT INTO event_index (event_id, entity_index, run, accepted_at, entities_total, organization_id, connector_id, source_name,
    event_type, external_id, lane, kind, aliases)
  SELECT 'evt_bench_${day}_' || n, 0, 'first', at, 1, $1, connector_id, 'event_api', 'customer.saved', 'c' || n % 100000,
    connector_id || ':c' || n % 100000, 'record', '{}'
  FROM ${madeSql}`;

const dayMs = 86_400_000;

/** The partition that a day has in the product, without the indexes: attaching it builds those that are missing, sorted. */
async function dayTable(client: Client, day: string): Promise<string> {
  const table = `sync_events_${day.replaceAll('-', '')}`;
  await client.query(`DROP TABLE IF EXISTS ${table}`);
  await client.query(`CREATE TABLE ${table} (LIKE sync_events INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
  return table;
}

/**
 * Writes outcome rows, evenly over the days, and the index rows of the events of the last two days. Each day is filled first and
 * indexed then. @returns an event of the first connector
 */
export async function fillOutcomes(client: Client, plan: OutcomePlan): Promise<string> {
  await client.query(`SET maintenance_work_mem = '512MB'; SET synchronous_commit = off; SET statement_timeout = 0`);
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  const perDay = Math.ceil(plan.rows / plan.days);
  let filled = 0;
  let anEvent = '';
  for (let ago = plan.days - 1; ago >= 0; ago -= 1) {
    const start = new Date(today - ago * dayMs);
    const day = start.toISOString().slice(0, 10);
    const apart = Math.floor(((ago === 0 ? Date.now() - today : dayMs) * 1_000) / perDay);
    const table = await dayTable(client, day);
    for (let from = 0; from < perDay; from += perStatement) {
      const to = Math.min(perDay, from + perStatement) - 1;
      const values = [plan.organizationId, plan.connectorIds, from, to, start, apart];
      await client.query(outcomesSql(table, day), values);
      if (ago < 2) await client.query(indexSql(day), values);
      filled += to - from + 1;
    }
    const next = new Date(start.getTime() + dayMs).toISOString();
    await client.query(`ALTER TABLE sync_events ATTACH PARTITION ${table} FOR VALUES FROM ('${start.toISOString()}') TO ('${next}')`);
    process.stderr.write(`  ${filled} of ${plan.rows} rows\n`);
    anEvent = `evt_bench_${day}_0`;
  }
  await client.query('VACUUM ANALYZE sync_events');
  await client.query('VACUUM ANALYZE event_index');
  return anEvent;
}
