import {
  conflictsCounted, type ConflictQuery, type ConflictRecord, type ConflictStore, keptForEver, listCursor, type Retention,
} from '@sluice/ports';
import type { Pool } from 'pg';
import { asId } from '../config-client/config-client';
import { mapStoreOutage } from '../config-client/store-errors';
import { type KeptRows, keptRows } from '../kept-rows';
import { retried } from '../transaction';

const cursors = listCursor('conflicts', 'time', 'id');

const cursorOf = ({ created_at: at, id }: { created_at: Date; id: string }): string => cursors.of([at.toISOString(), id]);

/** Rows that one call looks at, however few of them match. */
const mostScanned = 10_000;
const filters = { entity: 'entity_name', externalId: 'external_id', property: 'property', winner: 'winner' } as const;

/** Conflict records on Postgres: written with the outcomes of events, read here. */
export function createConflictStore(pool: Pool, retention: Retention = keptForEver): ConflictStore {
  const kept = keptRows(retention);
  return mapStoreOutage<ConflictStore>({
    list: (connectorId, query) => listConflicts(pool, kept, connectorId, query),
    count: async (connectorId) => {
      const text = `SELECT count(*)::int AS count FROM
        (SELECT 1 FROM ${kept.conflicts} c WHERE connector_id = $1 LIMIT ${conflictsCounted}) counted`;
      const { rows } = await retried(() => pool.query<{ count: number }>(text, [asId(connectorId)]));
      return rows[0]!.count;
    },
  });
}

async function listConflicts(
  pool: Pool,
  { conflicts }: KeptRows,
  connectorId: string,
  query: ConflictQuery,
): Promise<{ items: ConflictRecord[]; nextCursor: string | null }> {
  const values: unknown[] = [asId(connectorId)];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const after = cursors.read(query.cursor);
  const within = after ? `AND (created_at, id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)` : '';
  const scan = `SELECT * FROM ${conflicts} c WHERE connector_id = $1 ${within} ORDER BY created_at DESC, id DESC`;
  const scanValues = [...values];
  const matching = Object.entries(filters).flatMap(([name, column]) => {
    const value = query[name as keyof typeof filters];
    return value === undefined ? [] : [`s.${column} = ${bind(value)}`];
  });
  const where = matching.length === 0 ? '' : `WHERE ${matching.join(' AND ')}`;
  const text = `SELECT s.* FROM (${scan} LIMIT ${mostScanned}) s ${where} ORDER BY created_at DESC, id DESC LIMIT ${query.limit + 1}`;
  const { rows } = await retried(() => pool.query(text, values));
  const items = rows.slice(0, query.limit).map(conflictOf);
  if (rows.length > query.limit) return { items, nextCursor: cursorOf(rows[query.limit - 1]) };
  const last = await retried(() => pool.query(`${scan} LIMIT 1 OFFSET ${mostScanned - 1}`, scanValues));
  return { items, nextCursor: last.rows.length === 0 ? null : cursorOf(last.rows[0]) };
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- columns as pg gives them
const conflictOf = (row: any): ConflictRecord => ({
  id: row.id,
  connectorId: row.connector_id,
  entityName: row.entity_name,
  externalId: row.external_id,
  crmId: row.crm_id,
  property: row.property,
  sourceValue: row.source_value,
  targetValue: row.target_value,
  targetModifiedAt: row.target_modified_at?.toISOString() ?? null,
  targetModifiedBy: row.target_modified_by,
  winner: row.winner,
  createdAt: row.created_at.toISOString(),
});
