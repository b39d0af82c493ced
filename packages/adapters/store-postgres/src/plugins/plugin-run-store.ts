import {
  durationClasses, durationClassOf, type PluginLogRow, type PluginMetrics, type PluginRunNote, type PluginRunStore,
} from '@sluice/ports';
import type { Pool } from 'pg';
import { bulkParameter, bulkRows, keyText, storable } from '../bulk-rows';
import { inTransaction, retried } from '../transaction';

const notes = bulkRows({
  function_arn: 'text', hour: 'timestamptz', invocations: 'bigint', errors: 'bigint', retries: 'bigint', memory_mb: 'integer',
  durations: 'text[]',
});
const lines = bulkRows({
  function_arn: 'text', at: 'timestamptz', level: 'text', message: 'text', function_version: 'text', event_id: 'text',
  connector_id: 'uuid', place: 'integer',
});

/** Sums of arrays, element by element; what was counted by another version with fewer classes is shorter. */
const addedDurations = `ARRAY(SELECT coalesce(a, 0) + coalesce(b, 0) FROM unnest(m.durations, excluded.durations) AS u(a, b))`;

const noteSql = `
  INSERT INTO plugin_metrics AS m (plugin_id, hour, invocations, errors, retries, memory_mb, durations)
  SELECT f.plugin_id, hour, invocations, errors, retries, memory_mb, durations::bigint[]
  FROM (SELECT ${notes.values} FROM ${notes.from}) n(function_arn, hour, invocations, errors, retries, memory_mb, durations)
  JOIN plugin_functions f ON f.function_arn = n.function_arn JOIN plugins p ON p.id = f.plugin_id
  ON CONFLICT (plugin_id, hour) DO UPDATE SET
    invocations = m.invocations + excluded.invocations, errors = m.errors + excluded.errors, retries = m.retries + excluded.retries,
    memory_mb = greatest(m.memory_mb, excluded.memory_mb), durations = ${addedDurations}`;

/**
 * Only as many of a plugin as an hour may have: what it logged this hour counts, and is counted once for each plugin. Ids follow
 * the order of the lines.
 */
const linesSql = `
  WITH ranked AS (
    SELECT f.plugin_id, n.*, row_number() OVER (PARTITION BY f.plugin_id ORDER BY n.at, n.place) AS rank
    FROM (SELECT ${lines.values} FROM ${lines.from}) n(
      function_arn, at, level, message, function_version, event_id, connector_id, place)
    JOIN plugin_functions f ON f.function_arn = n.function_arn JOIN plugins p ON p.id = f.plugin_id
  ), logged AS MATERIALIZED (
    SELECT d.plugin_id, (SELECT count(*) FROM (
      SELECT 1 FROM plugin_logs l WHERE l.plugin_id = d.plugin_id AND l.at > now() - interval '1 hour' LIMIT $2) one) AS lines
    FROM (SELECT DISTINCT plugin_id FROM ranked) d
  )
  INSERT INTO plugin_logs (plugin_id, at, level, message, function_version, event_id, connector_id)
  SELECT r.plugin_id, r.at, r.level, r.message, r.function_version, r.event_id, r.connector_id
  FROM ranked r JOIN logged ON logged.plugin_id = r.plugin_id WHERE r.rank <= $2 - logged.lines
  ORDER BY r.at, r.place`;

const valuesSql = `
  SELECT s.key, s.value FROM plugin_storage s JOIN plugin_functions f ON f.plugin_id = s.plugin_id
  WHERE f.function_arn = $2 AND s.connector_id = $1 AND s.key = ANY ($3) AND (s.expires_at IS NULL OR s.expires_at > now())`;

const metricsSql = `
  SELECT coalesce(sum(invocations), 0)::float8 AS invocations, coalesce(sum(errors), 0)::float8 AS errors,
    coalesce(sum(retries), 0)::float8 AS retries, coalesce(max(memory_mb), 0) AS memory_mb,
    coalesce((SELECT array_agg(n ORDER BY class) FROM (
      SELECT class, sum(n)::float8 AS n FROM plugin_metrics d, unnest(d.durations) WITH ORDINALITY AS u(n, class)
      WHERE d.plugin_id = $1 AND d.hour >= date_trunc('hour', $2::timestamptz) GROUP BY class) c), '{}') AS durations
  FROM plugin_metrics WHERE plugin_id = $1 AND hour >= date_trunc('hour', $2::timestamptz)`;

/** What runs of plugins read and leave. */
export function createPluginRunStore(pool: Pool): PluginRunStore {
  return {
    async values(connectorId, functionArn, keys) {
      const stored = new Map(keys.map((key) => [storable(keyText(key)), key]));
      const { rows } = await retried(() =>
        pool.query({ name: 'plugin-values', text: valuesSql, values: [connectorId, functionArn, [...stored.keys()]] }));
      return new Map(rows.map(({ key, value }: { key: string; value: unknown }) => [stored.get(key)!, value]));
    },
    note: (runs, maxLinesPerHour) => note(pool, runs, maxLinesPerHour),
    logs: (pluginId, query) => readLogs(pool, pluginId, query),
    async metrics(pluginId, since): Promise<PluginMetrics> {
      const { rows } = await retried(() => pool.query(metricsSql, [pluginId, since]));
      const { memory_mb: memoryMb, durations, ...counts } = rows[0];
      const classes = Array.from({ length: durationClasses.length + 1 }, (_, index) => Number(durations[index] ?? 0));
      return { ...counts, memoryMb, durations: classes };
    },
    sweep: (before) => sweep(pool, before),
  };
}

async function note(pool: Pool, runs: readonly PluginRunNote[], maxLinesPerHour: number): Promise<void> {
  if (runs.length === 0) return;
  const groups = [...groupedByHour(runs).values()];
  const rows = groups.map(({ durations, ...row }) => ({ ...row, durations: JSON.stringify(durations.map(String)) }));
  const logged = runs.flatMap(({ functionArn, version, eventId, connectorId, logs }) => logs.map(({ at, level, message }) => ({
    function_arn: functionArn, at: new Date(at).toISOString(), level, message, function_version: version, event_id: eventId,
    connector_id: connectorId,
  }))).map((row, place) => ({ ...row, place }));
  await inTransaction(pool, async (client) => {
    // One statement for each function: an INSERT may not change a row twice.
    for (const row of rows) await client.query({ name: 'note-plugin-runs', text: noteSql, values: [bulkParameter([row])] });
    const values = [bulkParameter(logged), maxLinesPerHour];
    if (logged.length > 0) await client.query({ name: 'plugin-lines', text: linesSql, values });
  });
}

const hourMs = 3_600_000;

function groupedByHour(runs: readonly PluginRunNote[]) {
  const hour = new Date(Math.floor(Date.now() / hourMs) * hourMs).toISOString();
  const groups = new Map<string, {
    function_arn: string; hour: string; invocations: number; errors: number; retries: number; memory_mb: number;
    durations: number[];
  }>();
  for (const { functionArn, durationMs, memoryMb, outcome } of runs) {
    const group = groups.get(functionArn) ?? {
      function_arn: functionArn, hour, invocations: 0, errors: 0, retries: 0, memory_mb: 0,
      durations: Array.from({ length: durationClasses.length + 1 }, () => 0),
    };
    group.invocations += 1;
    group.errors += outcome === 'error' ? 1 : 0;
    group.retries += outcome === 'retry' ? 1 : 0;
    group.memory_mb = Math.max(group.memory_mb, Math.ceil(memoryMb));
    group.durations[durationClassOf(durationMs)]! += 1;
    groups.set(functionArn, group);
  }
  return new Map([...groups].sort(([one], [other]) => (one < other ? -1 : 1)));
}

async function readLogs(pool: Pool, pluginId: string, query: Parameters<PluginRunStore['logs']>[1]): ReturnType<PluginRunStore['logs']> {
  const after = query.cursor === undefined ? null : readCursor(query.cursor);
  if (query.cursor !== undefined && after === null) return null;
  const { rows } = await retried(() => pool.query(
    `SELECT id, at, level, message, function_version, event_id, connector_id FROM plugin_logs
     WHERE plugin_id = $1 AND ($2::timestamptz IS NULL OR at >= $2) AND ($3::text IS NULL OR level = $3)
       AND ($4::timestamptz IS NULL OR (at, id) < ($4, $5::bigint)) ORDER BY at DESC, id DESC LIMIT $6`,
    [pluginId, query.since ?? null, query.level ?? null, after?.at ?? null, after?.id ?? null, query.limit + 1],
  ));
  const items = rows.slice(0, query.limit).map((row): PluginLogRow => ({
    at: row.at, level: row.level, message: row.message, version: row.function_version, eventId: row.event_id,
    connectorId: row.connector_id,
  }));
  const last = rows[query.limit - 1];
  return { items, nextCursor: rows.length > query.limit ? cursorOf(last) : null };
}

const cursorOf = ({ at, id }: { at: Date; id: bigint }): string =>
  Buffer.from(JSON.stringify([at.toISOString(), String(id)])).toString('base64url');

function readCursor(cursor: string): { at: Date; id: string } | null {
  try {
    const [at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const isCursor = typeof at === 'string' && !Number.isNaN(Date.parse(at)) && typeof id === 'string' && /^\d{1,18}$/.test(id);
    return isCursor ? { at: new Date(at), id } : null;
  } catch {
    // Not JSON: none of ours.
    return null;
  }
}

/** Rows of one statement: it must not hold a lock for long. */
const sweepRows = 5_000;

async function sweep(pool: Pool, before: { logs: Date; metrics: Date }): Promise<void> {
  const statements: [string, unknown[]][] = [
    ['plugin_logs WHERE id IN (SELECT id FROM plugin_logs WHERE at < $1 LIMIT $2)', [before.logs]],
    [
      'plugin_metrics WHERE (plugin_id, hour) IN (SELECT plugin_id, hour FROM plugin_metrics WHERE hour < $1 LIMIT $2)',
      [before.metrics],
    ],
    [
      `plugin_storage WHERE (connector_id, plugin_id, key) IN (
        SELECT connector_id, plugin_id, key FROM plugin_storage WHERE expires_at < now() AND $1::timestamptz IS NOT NULL LIMIT $2)`,
      [before.logs],
    ],
    [
      `plugin_operations WHERE id IN (
        SELECT id FROM plugin_operations WHERE state <> 'pending' AND ended_at < $1 LIMIT $2)`,
      [before.metrics],
    ],
  ];
  for (const [what, values] of statements) {
    let deleted: number;
    do {
      const { rowCount } = await retried(() => pool.query(`DELETE FROM ${what}`, [...values, sweepRows]));
      deleted = rowCount ?? 0;
    } while (deleted === sweepRows);
  }
}
