import { afterOutcome, type BreakerSettings, type FlowBreaker, type FlowOutcome } from '@sluice/ports';
import type { PoolClient } from 'pg';
import { bulkParameter, type BulkRow, bulkRows, storable } from '../bulk-rows';
import { changeBreakers } from './change-breakers';

const failures = bulkRows({ connector_id: 'uuid', flow_name: 'text', failures: 'integer' });
const countSql = `
  INSERT INTO flow_failures AS f (connector_id, flow_name, at, failures)
  SELECT connector_id, flow_name, date_trunc('minute', now(), 'UTC'), failures FROM ${failures.from} ORDER BY 1, 2
  ON CONFLICT (connector_id, flow_name, at) DO UPDATE SET failures = f.failures + excluded.failures`;

/** Outcomes that leave a closed breaker without streaks as it is: they need no row. */
const isHarmless = ({ kind }: FlowOutcome): boolean => kind !== 'fatal' && kind !== 'exhausted';

/** Notes outcomes in a transaction, in their order. @returns the breakers of their flows, as far as they have a row */
export async function noteOutcomes(
  client: PoolClient, outcomes: readonly FlowOutcome[], settings: BreakerSettings,
): Promise<FlowBreaker[]> {
  if (outcomes.length === 0) return [];
  const byFlow = new Map<string, FlowOutcome[]>();
  for (const outcome of outcomes) {
    const key = `${outcome.connectorId} ${storable(outcome.flowName)}`;
    byFlow.set(key, [...(byFlow.get(key) ?? []), outcome]);
  }
  await countFailures(client, byFlow);
  const change = (breaker: FlowBreaker, now: number): FlowBreaker =>
    byFlow.get(`${breaker.connectorId} ${breaker.flowName}`)!
      .reduce((one, outcome) => afterOutcome(one, outcome, now, settings), breaker);
  const flows = [...byFlow.values()];
  const harmful = flows.filter((list) => !list.every(isHarmless)).map((list) => list[0]!);
  return changeBreakers(client, flows.map((list) => list[0]!), harmful, change);
}

async function countFailures(client: PoolClient, byFlow: ReadonlyMap<string, readonly FlowOutcome[]>): Promise<void> {
  const rows = [...byFlow.values()].flatMap((list): BulkRow[] => {
    const fatal = list.filter(({ kind }) => kind === 'fatal').length;
    const { connectorId, flowName } = list[0]!;
    return fatal === 0 ? [] : [{ connector_id: connectorId, flow_name: storable(flowName), failures: fatal }];
  });
  if (rows.length > 0) await client.query(countSql, [bulkParameter(rows)]);
}
