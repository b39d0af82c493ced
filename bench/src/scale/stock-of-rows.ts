import { Client } from 'pg';

/** The tables with a row for each record that ended. */
export const recordTables = ['sync_events', 'event_index'] as const;

const days = 30;
const dayMs = 86_400_000;

/** A day as YYYY-MM-DD. */
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The table of a day of the stock, whose rows are those of record n with n % 30 = its age in days. */
const tableOf = (parent: string, date: string): string => `${parent}_${date.replaceAll('-', '')}`;

/** An id like those of the runner (ADR 0410). */
const idOfTime = `(lpad(to_hex(floor(extract(epoch FROM at) * 1000 / 65536)::bigint), 8, '0') || right(md5(n::text), 24))::uuid`;

/**
 * The records of a day: of a hundred one failed and one was skipped; half of all belong to the first connector.
 * @param index the table of their index rows
 * @param events the table of their outcome rows
 */
const daySql = (index: string, events: string): string => `
  WITH made AS (
    SELECT n, $3::timestamptz + (n / ${days} % $4::integer) * interval '1 second' AS at,
      ($2::uuid[])[1 + CASE WHEN n % 2 = 0 THEN 0 ELSE n / 2 % array_length($2::uuid[], 1) END] AS connector_id
    FROM generate_series($5::bigint, $6::bigint, ${days}) n
  ), indexed AS (
    INSERT INTO ${index} (event_id, entity_index, run, accepted_at, entities_total, organization_id, connector_id, source_name,
      event_type, external_id, lane, kind, aliases)
    SELECT 'evt_stock_' || n, 0, 'first', at, 1, $1, connector_id, 'event_api', 'customer.saved', 'c' || n, connector_id || ':c'
      || n,
      'record', '{}' FROM made
  )
  INSERT INTO ${events} (id, created_at, organization_id, connector_id, event_id, entity_index, run, flow_name, source_name,
    event_type, entity_name, external_id, action, step_id, status, error_kind, error_code, crm_id, attempts, replayable,
    config_version, completed_at, steps)
  SELECT ${idOfTime}, at, $1, connector_id, 'evt_stock_' || n, 0, 'first', 'customer_synced', 'event_api', 'customer.saved',
    'customer', 'c' || n, 'upsert', 'save', CASE n % 100 WHEN 7 THEN 'failed' WHEN 8 THEN 'skipped' ELSE 'completed' END,
    CASE n % 100 WHEN 7 THEN 'permanent' END, CASE n % 100 WHEN 7 THEN 'crm_rejected' END,
    CASE WHEN n % 100 NOT IN (7, 8) THEN n::text END, 1, n % 100 = 7, 1, at + interval '200 milliseconds', '[]' FROM made`;

/** What the statements since a reading have asked of the record tables. */
export interface TableWork {
  /** Searches in an index of one of their partitions. */
  probes: number;
  /** Rows read without an index. */
  scannedRows: number;
}

/** Rows of records that ended in the last 30 days, written as the runner and the event index would have left them. */
export class StockOfRows {
  private written = 0;

  private constructor(
    private readonly client: Client, private readonly organizationId: string, private readonly connectorIds: readonly string[],
  ) {}

  /** @param connectorIds connectors of one organization */
  static async open(databaseUrl: string, connectorIds: readonly string[]): Promise<StockOfRows> {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ id: string }>('SELECT organization_id AS id FROM connectors WHERE id = $1',
      [connectorIds[0]]);
    return new StockOfRows(client, rows[0]!.id, connectorIds);
  }

  /**
   * Makes it a stock of so many records. Today's table, which new records go to, is filled with its indexes in place; those of
   * the days before are made anew and indexed when they are full, which takes a quarter of the time.
   */
  async fillTo(count: number): Promise<void> {
    const midnight = Math.floor(Date.now() / dayMs) * dayMs;
    await this.client.query(`SET synchronous_commit = off; SET maintenance_work_mem = '512MB'`);
    await this.insertDay(0, { first: this.written, count, midnight }, recordTables[1], recordTables[0]);
    for (let age = 1; age < days; age += 1) {
      const [from, to] = [dateOf(midnight - age * dayMs), dateOf(midnight - (age - 1) * dayMs)];
      const [events, index] = recordTables.map((parent) => tableOf(parent, from)) as [string, string];
      for (const parent of recordTables) {
        await this.client.query(`DROP TABLE IF EXISTS ${tableOf(parent, from)}`);
        await this.client.query(
          `CREATE TABLE ${tableOf(parent, from)} (LIKE ${parent} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
      }
      await this.insertDay(age, { first: 0, count, midnight }, index, events);
      for (const parent of recordTables)
        await this.client.query(
          `ALTER TABLE ${parent} ATTACH PARTITION ${tableOf(parent, from)} FOR VALUES FROM ('${from}Z') TO ('${to}Z')`);
      if (count >= 1_000_000 && age % 5 === 0) console.log(`  day ${age} of ${days}, ${count} records in all`);
    }
    this.written = count;
    await this.client.query(`VACUUM ANALYZE ${recordTables.join(', ')}`);
  }

  /** Writes the records of a day, numbered from `first` up to `count`. */
  private async insertDay(
    age: number, { first, count, midnight }: { first: number; count: number; midnight: number }, index: string, events: string,
  ): Promise<void> {
    const seconds = age === 0 ? Math.max(1, Math.floor((Date.now() - midnight) / 1_000)) : dayMs / 1_000;
    const firstOfDay = Math.ceil((first - age) / days) * days + age;
    await this.client.query(daySql(index, events),
      [this.organizationId, this.connectorIds, new Date(midnight - age * dayMs), seconds, firstOfDay, count - 1]);
  }

  /** Bytes of a table and its indexes, all partitions, divided by its rows. */
  async bytesPerRow(table: (typeof recordTables)[number]): Promise<number> {
    const { rows: [sum] } = await this.client.query<{ bytes: string; rows: string }>(
      `SELECT sum(pg_total_relation_size(relid)) AS bytes, (SELECT count(*) FROM ${table}) AS rows FROM pg_partition_tree($1) WHERE isleaf`, [table],
    );
    return Number(sum!.bytes) / Math.max(1, Number(sum!.rows));
  }

  /** Begins to count; the answer says what was asked since. Postgres reports it up to a second later. */
  async measureWork(): Promise<() => Promise<TableWork>> {
    const before = await this.workSoFar();
    return async () => {
      const after = await this.workSoFar();
      return { probes: after.probes - before.probes, scannedRows: after.scannedRows - before.scannedRows };
    };
  }

  /** Drops the oldest day of both tables, as retention does. @returns milliseconds */
  async dropOldestDay(): Promise<number> {
    const before = dateOf(Date.now() - (days - 2) * dayMs);
    const began = performance.now();
    await this.client.query(`SELECT sluice_drop_days_before('sync_events', 'created_at', $1), sluice_drop_days_before('event_index', 'accepted_at', $1)`,
      [before]);
    return performance.now() - began;
  }

  close(): Promise<void> {
    return this.client.end();
  }

  private async workSoFar(): Promise<TableWork> {
    const { rows: [sum] } = await this.client.query<{ probes: string; scanned: string }>(
      `SELECT sum(idx_scan) AS probes, sum(seq_tup_read) AS scanned FROM pg_stat_user_tables WHERE relname ~ '^(${recordTables.join('|')})_'`,
    );
    return { probes: Number(sum!.probes), scannedRows: Number(sum!.scanned) };
  }
}
