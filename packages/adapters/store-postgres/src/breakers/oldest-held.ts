import { unitKeyText } from '@sluice/ports';
import type { PoolClient } from 'pg';
import { storable } from '../bulk-rows';

/** One probe for the head of each scope that waits for the flow: a scope holds events of one lane, and its head is its oldest. */
const oldestSql = `
  SELECT h.event_id, h.entity_index, h.run FROM held_scopes s
  JOIN held_events h ON h.topic = s.topic AND h.partition = s.partition AND h.scope = s.scope AND h."offset" = s.head_offset
  WHERE s.connector_id = $1 AND s.reason IN ('breaker_open', 'fatal') AND (s.due_at IS NULL OR s.due_at <= now())
    AND right(s.scope, length($2) + 1) = '|' || $2 AND s.scope LIKE 'flow:%'
  ORDER BY h.envelope->>'accepted_at', h.partition, h."offset" LIMIT 1`;

/** The oldest event that is held for a flow and due, as `unitKeyText`; null: there is none. */
export async function oldestHeldOf(client: PoolClient, connectorId: string, flowName: string): Promise<string | null> {
  const { rows: [row] } = await client.query(oldestSql, [connectorId, storable(flowName)]);
  return row ? unitKeyText({ eventId: row.event_id, entityIndex: row.entity_index, run: row.run }) : null;
}
