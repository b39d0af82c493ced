import { listCursor, type ListedRecord, type RecordPage, type RecordQuery } from '@sluice/ports';
import type { Pool } from 'pg';
import type { KeptRows } from '../kept-rows';
import { retried } from '../transaction';
import { recordColumns, recordRowOf } from './record-row';
import { canBeReplayed } from './replayable';

const cursors = listCursor('sync_events', 'time', 'id');

const cursorOf = ({ created_at: at, id }: { created_at: Date; id: string }): string => cursors.of([at.toISOString(), id]);

/** Rows that one call looks at, however few of them match: a rare match must not cost a walk through the whole history. */
const mostScanned = 10_000;

/** A connector's record rows, newest first. */
export async function listRecords(
  pool: Pool, { records }: KeptRows, connectorId: string, query: RecordQuery,
): Promise<RecordPage> {
  const values: unknown[] = [connectorId];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const within = ['connector_id = $1', ...rangeOf(query, bind), ...afterOf(query.cursor, bind)];
  // Rows of one event are few, and have an index of their own.
  if (query.eventId !== undefined) within.push(`event_id = ${bind(query.eventId)}`);
  const matching = matchesOf(query, bind);
  const scan = (columns: string, rest: string): string =>
    `SELECT ${columns} FROM ${records} kept WHERE ${within.join(' AND ')} ORDER BY created_at DESC, id DESC ${rest}`;
  const where = matching.length === 0 ? '' : `WHERE ${matching.join(' AND ')}`;
  const sql = `SELECT s.*, ${canBeReplayed} AS can_be_replayed
    FROM (${scan(recordColumns, `LIMIT ${mostScanned}`)}) s ${where} ORDER BY created_at DESC, id DESC LIMIT ${query.limit + 1}`;
  const { rows } = await retried(() => pool.query(sql, values));
  const items = rows.slice(0, query.limit).map(listedOf);
  if (rows.length > query.limit) return { items, nextCursor: cursorOf(rows[query.limit - 1]) };
  const unbound = values.slice(0, values.length - matching.length);
  const last = await retried(() => pool.query(scan('created_at, id', `LIMIT 1 OFFSET ${mostScanned - 1}`), unbound));
  return { items, nextCursor: last.rows.length === 0 ? null : cursorOf(last.rows[0]) };
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- columns as pg gives them
function listedOf(row: any): ListedRecord {
  const { steps: _steps, ...record } = recordRowOf(row);
  return { ...record, replayable: row.can_be_replayed };
}

type Bind = (value: unknown) => string;

const rangeOf = ({ since, until }: Pick<RecordQuery, 'since' | 'until'>, bind: Bind): string[] => [
  ...(since ? [`created_at >= ${bind(since)}`] : []),
  ...(until ? [`created_at < ${bind(until)}`] : []),
];

const filters = { status: 'status', flow: 'flow_name', entity: 'entity_name', externalId: 'external_id' } as const;

function matchesOf(query: RecordQuery, bind: Bind): string[] {
  return Object.entries(filters).flatMap(([name, column]) => {
    const value = query[name as keyof typeof filters];
    return value === undefined ? [] : [`s.${column} = ${bind(value)}`];
  });
}

function afterOf(cursor: string | undefined, bind: Bind): string[] {
  const after = cursors.read(cursor);
  return after ? [`(created_at, id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`] : [];
}
