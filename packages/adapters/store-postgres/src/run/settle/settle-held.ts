import { type HeldEvent, type ScopeText, scopeText, type Settlement, unitKeyText } from '@sluice/ports';
import type { PoolClient } from 'pg';
import { bulkParameter, type BulkRow, bulkRows } from '../../bulk-rows';

const unitColumns = { event_id: 'text', entity_index: 'integer', run: 'text' } as const;
const columns = {
  ...unitColumns,
  topic: 'text',
  partition: 'integer',
  offset: 'bigint',
  organization_id: 'uuid',
  connector_id: 'uuid',
  scope: 'text',
  lane: 'text',
  flow_name: 'text',
  reason: 'text',
  due_at: 'timestamptz',
  attempts: 'integer',
  tries: 'integer',
  wrote: 'boolean',
  last_error: 'text',
  last_error_code: 'text',
  envelope: 'json',
  may_land_until: 'timestamptz',
  ending: 'json',
  kept_steps: 'json',
  ordering_epoch: 'integer',
} as const;

const held = bulkRows(columns);
const units = bulkRows(unitColumns);
const scopes = bulkRows({ topic: 'text', partition: 'integer', scope: 'text' });
/** A unit keeps the offset at which it was first held. */
const changing = [
  'scope',
  'lane',
  'flow_name',
  'reason',
  'due_at',
  'attempts',
  'tries',
  'wrote',
  'last_error',
  'last_error_code',
  'envelope',
  'may_land_until',
  'kept_steps',
  'ending',
];

const holdSql = `
  INSERT INTO held_events (${held.names}) SELECT ${held.values} FROM ${held.from} ORDER BY r.event_id, r.entity_index, r.run
  ON CONFLICT (event_id, entity_index, run) DO UPDATE SET ${changing.map((name) => `${name} = excluded.${name}`).join(', ')}`;

const removeSql = `
  DELETE FROM held_events h USING ${units.from}
  WHERE h.event_id = r.event_id AND h.entity_index = r.entity_index AND h.run = r.run`;

const leftSql = `SELECT s.scope, s.count FROM held_scopes s JOIN ${scopes.from} USING (topic, partition, scope)`;

/** Holds, updates and removes waiting units. @returns rows left per scope that the settlements name */
export async function settleHeld(client: PoolClient, settlements: readonly Settlement[]): Promise<Map<ScopeText, number>> {
  const hold = new Map<string, BulkRow>();
  const remove = new Map<string, BulkRow>();
  const named = new Map<string, BulkRow>();
  for (const settlement of settlements) {
    const { unit, verdict, heldScope, lease } = settlement;
    if (verdict.kind === 'hold') hold.set(unitKeyText(unit), bulkOf(verdict.held));
    else if (heldScope !== undefined)
      remove.set(unitKeyText(unit), { event_id: unit.eventId, entity_index: unit.entityIndex, run: unit.run });
    for (const scope of scopesOf(settlement))
      named.set(`${lease.partition} ${lease.topic} ${scope}`, { topic: lease.topic, partition: lease.partition, scope });
  }
  if (hold.size > 0) await client.query({ name: 'settle-hold', text: holdSql, values: [bulkParameter([...hold.values()])] });
  if (remove.size > 0)
    await client.query({ name: 'settle-held-removed', text: removeSql, values: [bulkParameter([...remove.values()])] });
  return named.size > 0 ? heldLeft(client, [...named.values()]) : new Map<ScopeText, number>();
}

function scopesOf({ verdict, heldScope }: Settlement): ScopeText[] {
  const held = verdict.kind === 'hold' ? [scopeText(verdict.held.scope)] : [];
  return heldScope === undefined ? held : [...held, scopeText(heldScope)];
}

/** The trigger has already counted; the counter's row lock makes another writer of the same scope wait for this transaction. */
async function heldLeft(client: PoolClient, named: readonly BulkRow[]): Promise<Map<ScopeText, number>> {
  const left = new Map(named.map(({ scope }) => [scope as ScopeText, 0]));
  const { rows } = await client.query({ name: 'settle-held-left', text: leftSql, values: [bulkParameter(named)] });
  for (const row of rows) left.set(row.scope, (left.get(row.scope) ?? 0) + Number(row.count));
  return left;
}

const bulkOf = (held: HeldEvent): BulkRow & Record<keyof typeof columns, unknown> => ({
  event_id: held.unit.eventId,
  entity_index: held.unit.entityIndex,
  run: held.unit.run,
  topic: held.topic,
  partition: held.partition,
  offset: held.offset.toString(),
  organization_id: held.organizationId,
  connector_id: held.connectorId,
  scope: scopeText(held.scope),
  lane: held.lane,
  flow_name: held.flowName,
  reason: held.reason,
  due_at: held.dueAt === null ? null : new Date(held.dueAt).toISOString(),
  attempts: held.attempts,
  tries: held.tries,
  wrote: held.wrote,
  last_error: held.lastError,
  last_error_code: held.lastErrorCode,
  envelope: JSON.stringify(held.envelope),
  may_land_until: held.mayLandUntil === null ? null : new Date(held.mayLandUntil).toISOString(),
  ending: held.ending && JSON.stringify(held.ending),
  kept_steps: held.keptSteps && JSON.stringify(held.keptSteps),
  ordering_epoch: held.envelope.ordering_epoch ?? 0,
});
