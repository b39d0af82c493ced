import { type HeldConnectorState, type HeldReason, type HeldScopeState, parseScope, type PartitionRef } from '@sluice/ports';
import type { Pool } from 'pg';
import { bulkParameter, bulkRows } from '../bulk-rows';
import { retried } from '../transaction';

// None of these is a named statement: they are rare, and a cached plan from the time when the tables were small would scan them.

/**
 * From one connector to the next by the index, whatever the number of their scopes, and for each one probe for its own scope and
 * one for the first of the others.
 */
const connectorsSql = `
  WITH RECURSIVE held AS (
    (SELECT connector_id, 1 AS place FROM held_scopes
     WHERE topic = $1 AND partition = $2 AND ($4::uuid IS NULL OR connector_id > $4) ORDER BY connector_id LIMIT 1)
    UNION ALL
    SELECT (SELECT s.connector_id FROM held_scopes s
      WHERE s.topic = $1 AND s.partition = $2 AND s.connector_id > held.connector_id ORDER BY s.connector_id LIMIT 1), place + 1
    FROM held WHERE held.connector_id IS NOT NULL AND place < $3
  )
  SELECT held.connector_id AS id, wide.*, narrow.scope AS narrow_scope, narrow.due_at AS narrow_due_at
  FROM held
  LEFT JOIN LATERAL (
    SELECT * FROM held_scopes s WHERE s.topic = $1 AND s.partition = $2 AND s.scope = 'connector:' || held.connector_id LIMIT 1) wide ON true
  LEFT JOIN LATERAL (
    SELECT scope, due_at FROM held_scopes s
    WHERE s.topic = $1 AND s.partition = $2 AND s.connector_id = held.connector_id AND s.scope <> 'connector:' || held.connector_id
    ORDER BY s.due_at NULLS FIRST LIMIT 1) narrow ON true
  WHERE held.connector_id IS NOT NULL ORDER BY held.place`;

/** Connectors with held scopes in a partition. */
export async function heldConnectors(
  pool: Pool,
  { topic, partition }: PartitionRef,
  limit: number,
  after?: string,
): Promise<HeldConnectorState[]> {
  const { rows } = await retried(() => pool.query(connectorsSql, [topic, partition, limit, after ?? null]));
  return rows.map((row) => ({
    connectorId: row.id,
    wide: row.scope === null ? null : stateOf(row),
    narrow: row.narrow_scope === null ? null : { dueAt: row.narrow_due_at?.getTime() ?? null },
  }));
}

const asked = bulkRows({ connector_id: 'uuid', places: 'integer' }, 3);

/** LIMIT inside LATERAL: only the returned rows are read from the index, independent of the planner's estimates. */
const dueSql = `
  SELECT s.* FROM ${asked.from}, LATERAL (
    SELECT * FROM held_scopes s WHERE s.topic = $1 AND s.partition = $2 AND s.connector_id = r.connector_id
    ORDER BY s.due_at NULLS FIRST LIMIT r.places) s`;

/** The first scopes of each connector by due time. */
export async function heldScopesDue(
  pool: Pool,
  ref: PartitionRef,
  connectors: readonly { connectorId: string; limit: number }[],
): Promise<HeldScopeState[]> {
  if (connectors.length === 0) return [];
  const parameter = bulkParameter(connectors.map(({ connectorId, limit }) => ({ connector_id: connectorId, places: limit })));
  const { rows } = await retried(() => pool.query(dueSql, [ref.topic, ref.partition, parameter]));
  return rows.map(stateOf);
}

const lanes = bulkRows({ lane: 'text' }, 3);

/** OFFSET 0: one probe of the index for each lane, independent of the planner's estimates. */
const lanesSql = `
  SELECT s.* FROM (SELECT DISTINCT lane FROM ${lanes.from}) l, LATERAL (
    SELECT * FROM held_scopes s WHERE s.topic = $1 AND s.partition = $2 AND s.lane = l.lane OFFSET 0) s`;

/** The scopes in which events of the lanes wait. */
export async function heldScopesOfLanes(pool: Pool, ref: PartitionRef, names: readonly string[]): Promise<HeldScopeState[]> {
  if (names.length === 0) return [];
  const values = [ref.topic, ref.partition, bulkParameter(names.map((lane) => ({ lane })))];
  const { rows } = await retried(() => pool.query(lanesSql, values));
  return rows.map(stateOf);
}

/** A row of held_scopes as the driver gives it. */
interface ScopeRow {
  topic: string;
  partition: number;
  scope: string;
  connector_id: string;
  lane: string | null;
  reason: HeldReason;
  due_at: Date | null;
  head_offset: string;
  count: string;
}

const stateOf = (row: ScopeRow): HeldScopeState => ({
  topic: row.topic,
  partition: row.partition,
  scope: parseScope(row.scope),
  connectorId: row.connector_id,
  lane: row.lane,
  reason: row.reason,
  dueAt: row.due_at?.getTime() ?? null,
  headOffset: BigInt(row.head_offset),
  count: Number(row.count),
});
