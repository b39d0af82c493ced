import { Client } from 'pg';
import { printTable } from '../report/table';

/** The settings of a Postgres whose statements `withStatements` reads: its extension `pg_stat_statements`, plans counted too. */
export const statementSettings: readonly (readonly [name: string, value: string])[] = [
  ['shared_preload_libraries', 'pg_stat_statements'], ['pg_stat_statements.track_planning', 'on'],
];

const shown = 20;
const textWidth = 110;

interface StatementRow {
  query: string;
  calls: number;
  rows: number;
  /** Milliseconds that planning and running took, waits included. */
  plan: number;
  run: number;
}

/**
 * Runs `work` and prints the statements of its database that took most time.
 * @param databaseUrl of a superuser, on a server with `statementSettings`; null: it only runs the work
 * @param records how many the work writes: numbers are for a thousand of them
 */
export async function withStatements<T>(databaseUrl: string | null, records: number, work: () => Promise<T>): Promise<T> {
  if (databaseUrl === null) return work();
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    await client.query('SELECT pg_stat_statements_reset()');
    const result = await work();
    // Commands without a plan, COPY and COMMIT among them, have no time of planning.
    const { rows } = await client.query<StatementRow>(
      `SELECT query, calls::float8 AS calls, rows::float8 AS rows, total_plan_time AS plan, total_exec_time AS run
        FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
        ORDER BY total_plan_time + total_exec_time DESC`);
    printTable('Statements of Postgres, for 1,000 records', tableOf(rows, records / 1000));
    return result;
  } finally {
    await client.end();
  }
}

function tableOf(statements: readonly StatementRow[], thousands: number): Record<string, unknown>[] {
  const row = (text: string, list: readonly StatementRow[]): Record<string, unknown> => {
    const each = (of: 'calls' | 'rows' | 'plan' | 'run'): number =>
      list.reduce((total, statement) => total + statement[of], 0) / thousands;
    return { statement: text, calls: each('calls'), rows: each('rows'), 'ms to plan': each('plan'), 'ms to run': each('run') };
  };
  return [
    ...statements.slice(0, shown).map((one) => row(one.query.replaceAll(/\s+/g, ' ').slice(0, textWidth), [one])),
    row(`all others (${Math.max(0, statements.length - shown)})`, statements.slice(shown)),
    row('all', statements),
  ];
}
