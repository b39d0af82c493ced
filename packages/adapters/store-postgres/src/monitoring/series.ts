import type { CountStep, RecordStatus, RecordStep, SeriesStep, TimeRange } from '@sluice/ports';
import type { Pool } from 'pg';
import { summedHistogram } from '../counts/record-minutes';
import { retried } from '../transaction';

/** A part of a series: hours that were added up, and the minutes since. For days only, days are read instead of hours. */
const unitOf = (step: SeriesStep): string => `'${step}'`;

const recordSql = (step: SeriesStep, added: 'record_hours' | 'record_days'): string => `
  SELECT date_trunc(${unitOf(step)}, at, 'UTC') AS step, status, sum(records)::float8 AS records, ${summedHistogram} AS latency
  FROM (
    SELECT at, status, records, latency FROM ${added} WHERE connector_id = $1 AND at >= $2 AND at < $3
    UNION ALL SELECT at, status, records, latency FROM record_minutes WHERE connector_id = $1 AND at >= $2 AND at < $3
  ) counts GROUP BY 1, 2 ORDER BY 1`;

/** Completed records alone have a latency that means something: they reached the CRM. */
const delivered: ReadonlySet<string> = new Set(['completed', 'partial_success']);

/** Days are added up with flows, hours without: a range that begins within a day is read by hours. */
const isDay = (at: Date): boolean => at.getTime() % 86_400_000 === 0;

export async function recordSeries(
  pool: Pool, connectorId: string, { since, until }: TimeRange, step: SeriesStep,
): Promise<RecordStep[]> {
  const sql = recordSql(step, step === 'day' && isDay(since) ? 'record_days' : 'record_hours');
  const { rows } = await retried(() => pool.query(sql, [connectorId, since, until]));
  const steps = new Map<number, RecordStep>();
  for (const row of rows) {
    const known = steps.get(row.step.getTime()) ?? { at: row.step as Date, byStatus: {}, latency: [] };
    known.byStatus[row.status as RecordStatus] = row.records;
    if (delivered.has(row.status)) known.latency = added(known.latency, row.latency);
    steps.set(row.step.getTime(), known);
  }
  return [...steps.values()];
}

/** The sum of two histograms. */
const added = (one: readonly number[], other: readonly number[]): number[] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, place) => (one[place] ?? 0) + (other[place] ?? 0));

const eventSql = (step: SeriesStep): string => `
  SELECT date_trunc(${unitOf(step)}, at, 'UTC') AS step, sum(events)::float8 AS value
  FROM (
    SELECT at, events FROM event_hours WHERE connector_id = $1 AND at >= $2 AND at < $3
    UNION ALL SELECT at, events FROM event_minutes WHERE connector_id = $1 AND at >= $2 AND at < $3
  ) counts GROUP BY 1 ORDER BY 1`;

const processSql = (step: SeriesStep): string => `
  SELECT date_trunc(${unitOf(step)}, at, 'UTC') AS step, sum(value)::float8 AS value FROM process_minutes
  WHERE connector_id = $1 AND at >= $2 AND at < $3 AND name = $4 GROUP BY 1 ORDER BY 1`;

export async function eventSeries(
  pool: Pool, connectorId: string, { since, until }: TimeRange, step: SeriesStep,
): Promise<CountStep[]> {
  const { rows } = await retried(() => pool.query(eventSql(step), [connectorId, since, until]));
  return rows.map((row) => ({ at: row.step, value: row.value }));
}

export async function processSeries(
  pool: Pool, connectorId: string, name: string, { since, until }: TimeRange, step: SeriesStep,
): Promise<CountStep[]> {
  const { rows } = await retried(() => pool.query(processSql(step), [connectorId, since, until, name]));
  return rows.map((row) => ({ at: row.step, value: row.value }));
}

const skipsSql = `
  SELECT flow_name, sum(records)::float8 AS records
  FROM (
    SELECT flow_name, records FROM record_days WHERE connector_id = $1 AND at >= $2 AND at < $3 AND status = 'skipped'
    UNION ALL SELECT flow_name, records FROM record_minutes WHERE connector_id = $1 AND at >= $2 AND at < $3 AND status = 'skipped'
  ) counts GROUP BY 1`;

export async function skipsByFlow(
  pool: Pool, connectorId: string, { since, until }: TimeRange,
): Promise<Record<string, number>> {
  const day = new Date(Math.floor(since.getTime() / 86_400_000) * 86_400_000);
  const { rows } = await retried(() => pool.query(skipsSql, [connectorId, day, until]));
  return Object.fromEntries(rows.map((row): [string, number] => [row.flow_name, row.records]));
}
