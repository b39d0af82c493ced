import { Client } from 'pg';

/** The tables with a row for each record that ended. */
export const recordTables = ['sync_events', 'event_index'] as const;

const days = 30;
const perStatement = 100_000;

/** A record n of the stock: of a hundred one failed and one was skipped; half of all belong to the first connector. */
const stockSql = `
  WITH made AS (
    SELECT n, $3::timestamptz - (n % ${days}) * interval '1 day' - (n / ${days} % 86400) * interval '1 second' AS at,
      ($2::uuid[])[1 + CASE WHEN n % 2 = 0 THEN 0 ELSE n / 2 % array_length($2::uuid[], 1) END] AS connector_id
    FROM generate_series($4::bigint, $5::bigint) n
  ), indexed AS (
    INSERT INTO event_index (event_id, entity_index, run, accepted_at, entities_total, organization_id, connector_id, source_name,
      event_type, external_id, lane, kind, aliases)
    SELECT 'evt_stock_' || n, 0, 'first', at, 1, $1, connector_id, 'event_api', 'customer.saved', 'c' || n, connector_id || ':c'
      || n,
      'record', '{}' FROM made
  )
  INSERT INTO sync_events (id, created_at, organization_id, connector_id, event_id, entity_index, run, flow_name, source_name,
    event_type, entity_name, external_id, action, step_id, status, error_kind, error_code, crm_id, attempts, replayable,
    config_version, completed_at, steps)
  SELECT gen_random_uuid(), at, $1, connector_id, 'evt_stock_' || n, 0, 'first', 'customer_synced', 'event_api', 'customer.saved',
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

  /** Adds records up to a number of all. */
  async fillTo(count: number): Promise<void> {
    const now = new Date();
    for (let day = -1; day <= days + 1; day += 1) {
      const date = new Date(now.getTime() - day * 86_400_000).toISOString().slice(0, 10);
      await this.client.query(`SELECT sluice_add_day('sync_events', 'created_at', $1), sluice_add_day('event_index', 'accepted_at', $1)`, [date]);
    }
    while (this.written < count) {
      const last = Math.min(count, this.written + perStatement) - 1;
      await this.client.query(stockSql, [this.organizationId, this.connectorIds, now, this.written, last]);
      this.written = last + 1;
      if (this.written % 1_000_000 === 0) console.log(`  ${this.written} of ${count} records`);
    }
    await this.client.query(`VACUUM ANALYZE ${recordTables.join(', ')}`);
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
    const before = new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10);
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
