import { latencyBoundsMs } from '@sluice/ports';

const classes = Array.from({ length: latencyBoundsMs.length + 1 }, (_, place) => place);

/** Classes of the times from accept to end of first runs; a replay was accepted long ago. `b` is the class of a row. */
const histogram = `ARRAY[${classes.map((place) => `count(*) FILTER (WHERE b = ${place})`).join(', ')}]::integer[]`;
const classOf = `CASE WHEN run = 'first' THEN
  width_bucket((extract(epoch FROM completed_at - created_at) * 1000)::float8, ARRAY[${latencyBoundsMs.join(', ')}]::float8[]) END`;

/**
 * Counts rows of sync_events into record_minutes, in the order of its key, so that two writers cannot wait for each other.
 * @param rows a relation with connector_id, flow_name, status, run, created_at and completed_at
 */
export const countRowsSql = (rows: string): string => `
  INSERT INTO record_minutes AS m (connector_id, at, flow_name, status, records, latency)
  SELECT connector_id, date_trunc('minute', completed_at, 'UTC') AS at, coalesce(flow_name, '') AS flow, status, count(*), ${histogram}
  FROM (SELECT *, ${classOf} AS b FROM ${rows}) classed GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (connector_id, at, flow_name, status) DO UPDATE SET
    records = m.records + excluded.records, latency = sluice_add_histograms(m.latency, excluded.latency)`;

/** The sum of the column `latency` over a group, class by class: an aggregate over whole arrays takes fifty times as long. */
export const summedHistogram =
  `ARRAY[${classes.map((place) => `coalesce(sum(latency[${place + 1}]), 0)`).join(', ')}]::integer[]`;

const classesOfSums = classes.map((place) => `coalesce(sum(records) FILTER (WHERE b = ${place}), 0)`).join(', ');
const sums = `sum(records), ARRAY[${classesOfSums}]::integer[]`;

/**
 * Counts rows of sync_events into record_hours and record_days, for a rebuild. The rows are read once and counted by hour, flow,
 * status and class; hours and days are sums of those counts. A row that is there already stays.
 * @param rows as for `countRowsSql`
 */
export const countHoursAndDaysSql = (rows: string): string => `
  WITH counted AS MATERIALIZED (
    SELECT connector_id, date_trunc('hour', completed_at, 'UTC') AS at, coalesce(flow_name, '') AS flow_name, status, b, count(*) AS records
    FROM (SELECT connector_id, completed_at, flow_name, status, ${classOf} AS b FROM ${rows}) classed GROUP BY 1, 2, 3, 4, 5
  ), hours AS (
    INSERT INTO record_hours (connector_id, at, status, records, latency)
    SELECT connector_id, at, status, ${sums} FROM counted GROUP BY 1, 2, 3 ON CONFLICT DO NOTHING
  )
  INSERT INTO record_days (connector_id, at, flow_name, status, records, latency)
  SELECT connector_id, date_trunc('day', at, 'UTC'), flow_name, status, ${sums} FROM counted GROUP BY 1, 2, 3, 4 ON CONFLICT DO NOTHING`;
