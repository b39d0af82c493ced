import type { Client } from 'pg';

/** A statement as Postgres logged it. */
export interface LoggedStatement {
  /** With its parameters as literals: it can be run again. */
  sql: string;
  /** Parsing, binding (which plans it) and running, milliseconds. */
  ms: number;
}

/** A statement's plan as it ran. */
export interface RunPlan {
  text: string;
  /** Rows that scans returned or filtered out. */
  rowsRead: number;
}

const logPath = `current_setting('data_directory') || '/../log'`;

/**
 * Has Postgres log every statement with its time and its parameters while something runs. Needs a superuser, and a server whose
 * log is the file `log` beside its data folder, as the test kit starts it.
 */
export async function statementsOf(client: Client, run: () => Promise<void>): Promise<LoggedStatement[]> {
  const size = async (): Promise<number> =>
    (await client.query<{ size: number }>(`SELECT (pg_stat_file(${logPath})).size::float8 AS size`)).rows[0]!.size;
  const logging = async (least: number): Promise<void> => {
    await client.query(`ALTER SYSTEM SET log_min_duration_statement = ${least}`);
    await client.query('SELECT pg_reload_conf()');
    // Sessions read the setting before their next statement, once the server has told them.
    await client.query('SELECT pg_sleep(0.3)');
  };
  const from = await size();
  await logging(0);
  await run();
  await logging(-1);
  const sql = `SELECT pg_read_file(${logPath}, $1::bigint, $2::bigint) AS text`;
  const { rows: [log] } = await client.query<{ text: string }>(sql, [from, (await size()) - from]);
  return statementsIn(log!.text);
}

const entryStart = /^\S+ \S+ \S+ \[\d+\] /m;
const timed = /LOG: {2}duration: ([\d.]+) ms {2}(?:(parse|bind|execute) [^:]*|statement): ([\s\S]*)$/;
const parameters = /DETAIL: {2}Parameters: ([\s\S]*)$/;

/** The statements of a log. A statement with parameters is logged when it is parsed, bound and executed. */
export function statementsIn(log: string): LoggedStatement[] {
  const entries = log.split(entryStart).map((entry) => entry.trimEnd());
  const found: LoggedStatement[] = [];
  let before = 0;
  for (const [index, entry] of entries.entries()) {
    const match = timed.exec(entry);
    if (!match) continue;
    const [, ms, phase, sql] = match;
    if (phase === 'parse' || phase === 'bind') {
      before += Number(ms);
      continue;
    }
    const values = parameters.exec(entries[index + 1] ?? '')?.[1];
    found.push({ sql: withLiterals(sql!, values), ms: before + Number(ms) });
    before = 0;
  }
  return found;
}

/** `$1 = 'text', $2 = NULL` put into the statement. */
function withLiterals(sql: string, values: string | undefined): string {
  if (values === undefined) return sql;
  const literals = new Map<string, string>();
  for (const [, place, literal] of values.matchAll(/\$(\d+) = (NULL|'(?:[^']|'')*')/g)) literals.set(place!, literal!);
  return sql.replaceAll(/\$(\d+)/g, (whole, place: string) => literals.get(place) ?? whole);
}

interface PlanNode {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

function rowsReadBy(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const isTableScan = /Seq Scan|Index Scan|Index Only Scan|Bitmap Heap Scan/.test(node['Node Type']);
  const own = isTableScan ? (node['Actual Rows'] + removed) * node['Actual Loops'] : 0;
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsReadBy(child), own);
}

/** Runs a SELECT again and tells how. */
export async function planOf(client: Client, sql: string): Promise<RunPlan> {
  const lines = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, BUFFERS) ${sql}`);
  const json = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`);
  return { text: lines.rows.map((row) => row['QUERY PLAN']).join('\n'),
    rowsRead: rowsReadBy(json.rows[0]!['QUERY PLAN'][0]!.Plan) };
}
