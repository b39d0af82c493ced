import { type BreakerSettings, type FlowBreaker, isRateTooHigh, opened, rateSince, rateWindowMs } from '@sluice/ports';
import type { Pool } from 'pg';
import { inTransaction, retried } from '../transaction';
import { changeBreakers } from './change-breakers';

/** Flows with fatal failures in the window: few, whatever the number of flows is. */
const suspectsSql = `
  SELECT DISTINCT f.connector_id, f.flow_name FROM flow_failures f WHERE f.at >= now() - ${rateWindowMs} * interval '1 millisecond'`;

/** Executions are records that ended with more than a skip, and attempts that failed fatally and left no row. */
const rateSql = `
  SELECT (SELECT coalesce(sum(failures), 0) FROM flow_failures WHERE connector_id = $1 AND flow_name = $2 AND at >= $3)::int AS fatal,
    (SELECT coalesce(sum(records), 0) FROM record_minutes
      WHERE connector_id = $1 AND flow_name = $2 AND at >= $3 AND status <> 'skipped')::int AS ended`;

const forgetSql = `DELETE FROM flow_failures WHERE at < now() - 2 * ${rateWindowMs} * interval '1 millisecond'`;

/** See `BreakerStore.checkRates`. */
export async function checkRates(pool: Pool, settings: BreakerSettings): Promise<FlowBreaker[]> {
  const { rows } = await retried(() => pool.query(suspectsSql));
  const found: FlowBreaker[] = [];
  for (const { connector_id: connectorId, flow_name: flowName } of rows) {
    const breaker = await checkRate(pool, { connectorId, flowName }, settings);
    if (breaker) found.push(breaker);
  }
  await retried(() => pool.query(forgetSql));
  return found;
}

async function checkRate(
  pool: Pool, flow: { connectorId: string; flowName: string }, settings: BreakerSettings,
): Promise<FlowBreaker | null> {
  return inTransaction(pool, async (client) => {
    const [before] = await changeBreakers(client, [flow], [flow], () => null);
    if (!before || before.state !== 'closed' || before.forced !== null) return null;
    const { rows: [{ now }] } = await client.query('SELECT now() AS now');
    const since = new Date(rateSince(before, now.getTime()));
    const { rows: [{ fatal, ended }] } = await client.query(rateSql, [flow.connectorId, flow.flowName, since]);
    const executions = fatal + ended;
    if (!isRateTooHigh({ fatal, executions })) return null;
    const detail = `${fatal} of ${executions} executions failed.`;
    const [after] = await changeBreakers(client, [flow], [], (one, at) => opened(one, 'failure_rate', detail, at, settings));
    return after ?? null;
  });
}
