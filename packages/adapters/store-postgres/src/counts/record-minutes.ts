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

/** The same columns of rows by hours and days, for a rebuild: `span` is a unit of date_trunc. */
export const countedSql = (rows: string, span: 'hour' | 'day', flow: boolean): string => `
  SELECT connector_id, date_trunc('${span}', completed_at, 'UTC'), ${flow ? "coalesce(flow_name, ''), " : ''}status, count(*), ${histogram}
  FROM (SELECT *, ${classOf} AS b FROM ${rows}) classed GROUP BY 1, 2, 3${flow ? ', 4' : ''}`;
