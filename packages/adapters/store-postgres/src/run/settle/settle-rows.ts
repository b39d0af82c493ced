import type { RecordRow, Settlement } from '@sluice/ports';
import type { PoolClient } from 'pg';
import { bulkParameter, type BulkRow, bulkRows } from '../../bulk-rows';
import { countRowsSql } from '../../counts/record-minutes';

const columns = {
  id: 'uuid',
  created_at: 'timestamptz',
  organization_id: 'uuid',
  connector_id: 'uuid',
  event_id: 'text',
  entity_index: 'integer',
  run: 'text',
  flow_name: 'text',
  source_name: 'text',
  event_type: 'text',
  entity_name: 'text',
  external_id: 'text',
  action: 'text',
  step_id: 'text',
  status: 'text',
  error: 'text',
  error_kind: 'text',
  error_code: 'text',
  reason: 'text',
  crm_id: 'text',
  attempts: 'integer',
  replayable: 'boolean',
  config_version: 'integer',
  completed_at: 'timestamptz',
  steps: 'json',
  item: 'text',
} as const;

const rows = bulkRows(columns);
/** What a rewrite may change, and what decides whether it changes anything. */
const outcome = ['status', 'error', 'error_kind', 'error_code', 'reason', 'crm_id', 'replayable'];
const rewritten = [...outcome, 'attempts', 'config_version', 'completed_at', 'steps'];

/** Rows that are new are counted with them; a row that was written before was counted then. */
const insertSql = `
  WITH written AS (
    INSERT INTO sync_events (${rows.names}) SELECT ${rows.values} FROM ${rows.from} ON CONFLICT (id, created_at) DO NOTHING
    RETURNING connector_id, flow_name, status, run, created_at, completed_at
  ), counted AS (${countRowsSql('written')})
  SELECT count(*)::int AS written FROM written`;

const rewriteSql = `
  INSERT INTO sync_events AS s (${rows.names}) SELECT ${rows.values} FROM ${rows.from}
  ON CONFLICT (id, created_at) DO UPDATE SET ${rewritten.map((name) => `${name} = excluded.${name}`).join(', ')}
  WHERE (${outcome.map((name) => `s.${name}`).join(', ')}) IS DISTINCT FROM (${outcome.map((name) =>
    `excluded.${name}`).join(', ')})`;

/** Inserts the record rows; one written before changes only when its outcome does. */
export async function settleRows(client: PoolClient, settlements: readonly Settlement[]): Promise<void> {
  // The same row twice in one statement is an error of Postgres; the later one counts.
  const unique = new Map<string, RecordRow>();
  for (const { verdict } of settlements)
    if (verdict.kind === 'rows') for (const row of verdict.rows) unique.set(`${row.id} ${row.createdAt}`, row);
  if (unique.size === 0) return;
  const values = [bulkParameter([...unique.values()].map(bulkOf))];
  const { rows: [answer] } = await client.query({ name: 'settle-rows', text: insertSql, values });
  if (answer.written < unique.size) await client.query({ name: 'settle-rows-again', text: rewriteSql, values });
}

const bulkOf = (row: RecordRow): BulkRow & Record<keyof typeof columns, unknown> => ({
  id: row.id,
  created_at: row.createdAt,
  organization_id: row.organizationId,
  connector_id: row.connectorId,
  event_id: row.unit.eventId,
  entity_index: row.unit.entityIndex,
  run: row.unit.run,
  flow_name: row.flowName,
  source_name: row.sourceName,
  event_type: row.eventType,
  entity_name: row.entityName,
  external_id: row.externalId,
  action: row.action,
  step_id: row.stepId,
  status: row.status,
  error: row.error,
  error_kind: row.errorKind,
  error_code: row.errorCode,
  reason: row.reason,
  crm_id: row.crmId,
  attempts: row.attempts,
  replayable: row.replayable,
  config_version: row.configVersion,
  completed_at: row.completedAt,
  steps: JSON.stringify(row.steps),
  item: row.item ?? null,
});
