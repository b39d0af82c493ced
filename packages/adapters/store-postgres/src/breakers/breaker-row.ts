import type { FlowBreaker } from '@sluice/ports';
import { type BulkRow, bulkRows, storable } from '../bulk-rows';

export const breakerColumns = bulkRows({
  connector_id: 'uuid', flow_name: 'text', state: 'text', forced: 'text', reason: 'text', detail: 'text',
  opened_at: 'timestamptz',
  retry_after_at: 'timestamptz', cooldown_ms: 'bigint', opens: 'integer', closed_at: 'timestamptz', fatal_streak: 'integer',
  exhausted_streak: 'integer', attempt_unit: 'text', attempt_until: 'timestamptz',
});

const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
const msOf = (at: Date | null): number | null => at && at.getTime();
/** Characters of what a failure said. */
const detailLength = 500;

export const breakerBulkRow = (breaker: FlowBreaker): BulkRow => ({
  connector_id: breaker.connectorId, flow_name: storable(breaker.flowName), state: breaker.state, forced: breaker.forced,
  reason: breaker.reason, detail: storable(breaker.detail?.slice(0, detailLength) ?? null), opened_at: timeOf(breaker.openedAt),
  retry_after_at: timeOf(breaker.retryAfterAt), cooldown_ms: breaker.cooldownMs, opens: breaker.opens,
  closed_at: timeOf(breaker.closedAt), fatal_streak: breaker.fatalStreak, exhausted_streak: breaker.exhaustedStreak,
  attempt_unit: breaker.attempt?.unit ?? null, attempt_until: timeOf(breaker.attempt?.until ?? null),
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- columns as pg gives them
export const breakerOf = (row: any): FlowBreaker => ({
  connectorId: row.connector_id, flowName: row.flow_name, state: row.state, forced: row.forced, reason: row.reason,
  detail: row.detail, openedAt: msOf(row.opened_at), retryAfterAt: msOf(row.retry_after_at),
  cooldownMs: row.cooldown_ms === null ? null : Number(row.cooldown_ms), opens: row.opens, closedAt: msOf(row.closed_at),
  fatalStreak: row.fatal_streak, exhaustedStreak: row.exhausted_streak,
  attempt: row.attempt_unit === null ? null : { unit: row.attempt_unit, until: row.attempt_until.getTime() },
});
