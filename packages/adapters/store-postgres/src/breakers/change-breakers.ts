import type { FlowBreaker } from '@sluice/ports';
import type { PoolClient } from 'pg';
import { bulkParameter, bulkRows, storable } from '../bulk-rows';
import { breakerBulkRow, breakerColumns, breakerOf } from './breaker-row';

export interface FlowKey {
  connectorId: string;
  flowName: string;
}

const keys = bulkRows({ connector_id: 'uuid', flow_name: 'text' });

/** Locks rows in the order of their key, so that two writers cannot wait for each other. */
const lockSql = `
  SELECT b.*, now() AS store_now FROM flow_breakers b JOIN ${keys.from} ON b.connector_id = r.connector_id AND b.flow_name = r.flow_name
  ORDER BY b.connector_id, b.flow_name FOR UPDATE OF b`;

const addSql = `
  INSERT INTO flow_breakers (connector_id, flow_name, state, opens, fatal_streak, exhausted_streak, updated_at)
  SELECT connector_id, flow_name, 'closed', 0, 0, 0, now() FROM ${keys.from}
  ORDER BY connector_id, flow_name ON CONFLICT DO NOTHING`;

const storedNames = 'state, forced, reason, detail, opened_at, retry_after_at, cooldown_ms, opens, closed_at, fatal_streak, '
  + 'exhausted_streak, attempt_unit, attempt_until';
const newValues = storedNames.split(', ').map((name) => `r.${name}`).join(', ');
const writeSql = `
  UPDATE flow_breakers b SET (${storedNames}, updated_at) = (${newValues}, clock_timestamp())
  FROM ${breakerColumns.from} WHERE b.connector_id = r.connector_id AND b.flow_name = r.flow_name`;

const keyText = ({ connectorId, flowName }: FlowKey): string => `${connectorId} ${flowName}`;

/**
 * Changes breakers under their row locks.
 * @param add those of the flows that get a row where they have none; others without a row are left out
 * @param change what becomes of a breaker; null: it stays as it is. `now` is the database's
 * @returns the breakers as they are then, those that stayed included
 */
export async function changeBreakers(
  client: PoolClient, flows: readonly FlowKey[], add: readonly FlowKey[],
  change: (breaker: FlowBreaker, now: number) => FlowBreaker | null,
): Promise<FlowBreaker[]> {
  if (add.length > 0) await client.query(addSql, [parameterOf(add)]);
  const { rows } = await client.query(lockSql, [parameterOf(flows)]);
  const before = rows.map((row) => ({ breaker: breakerOf(row), now: (row.store_now as Date).getTime() }));
  const after = before.map(({ breaker, now }) => ({ breaker: change(breaker, now) ?? breaker, was: breaker }));
  const changed = after.filter(({ breaker, was }) => breaker !== was).map(({ breaker }) => breaker);
  if (changed.length > 0) await client.query(writeSql, [bulkParameter(changed.map(breakerBulkRow))]);
  return after.map(({ breaker }) => breaker);
}

/** Each flow once. */
function parameterOf(flows: readonly FlowKey[]): ReturnType<typeof bulkParameter> {
  const distinct = new Map(flows.map(({ connectorId, flowName }) => {
    const stored = { connector_id: connectorId, flow_name: storable(flowName) };
    return [keyText({ connectorId, flowName: stored.flow_name }), stored];
  }));
  return bulkParameter([...distinct.values()]);
}
