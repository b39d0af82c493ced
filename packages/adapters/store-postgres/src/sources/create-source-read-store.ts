import {
  type NewTask, type ReadSourceRef, type SourceReadEnd, type SourceReading, type SourceReadStore, sourceReadWorker, sourceTaskKey,
} from '@sluice/ports';
import type { SourceType } from '@sluice/contracts';
import type { Pool, PoolClient } from 'pg';
import { bulkParameter, bulkRows, keyText, storable } from '../bulk-rows';
import { asId } from '../config-client/config-client';
import { assertFence } from '../tasks/assert-fence';
import { inTransaction, retried } from '../transaction';

const findSql = `
  SELECT s.* FROM connector_sources s JOIN connectors c ON c.id = s.connector_id
  WHERE s.connector_id = $1 AND s.name = $2 AND c.deleted_at IS NULL`;

/** The source of a reading: dates of JavaScript have milliseconds. */
const isSource = (createdAt: string): string =>
  `connector_id = $1 AND name = $2 AND date_trunc('milliseconds', created_at) = ${createdAt}`;

const endSql = `
  UPDATE connector_sources SET
    due_schedule = $3, next_due_at = $4, wait_until = $5, retry_after_at = $6, failures = $7,
    cursor = CASE WHEN $8 THEN $9::jsonb ELSE cursor END,
    last_poll_at = greatest(last_poll_at, $10), last_event_at = greatest(last_event_at, $11),
    last_error = CASE WHEN $12 THEN $13 ELSE last_error END,
    poll_requested_at = CASE WHEN poll_requested_at = $14 THEN NULL ELSE poll_requested_at END
  WHERE ${isSource('$15')}`;

const noteSql = `
  UPDATE connector_sources SET
    cursor = CASE WHEN $3 THEN $4::jsonb ELSE cursor END, last_poll_at = greatest(last_poll_at, $5),
    last_event_at = greatest(last_event_at, $6), last_error = CASE WHEN $7 THEN $8 ELSE last_error END
  WHERE connector_id = $1 AND name = $2`;

const contentRows = bulkRows({ external_id: 'text', content: 'text' }, 3);
const keepSql = `
  INSERT INTO source_contents (connector_id, source_name, external_id, content)
  SELECT $1, $2, external_id, content FROM ${contentRows.from}
  WHERE EXISTS (SELECT FROM connector_sources WHERE ${isSource('$4')}) ORDER BY external_id
  ON CONFLICT (connector_id, source_name, external_id) DO UPDATE SET content = excluded.content`;

/** An external id as a key that a text column can hold. */
const contentKey = (externalId: string): string => storable(keyText(externalId));

const taskColumns = `s.connector_id, s.name, c.organization_id FROM connector_sources s JOIN connectors c ON c.id = s.connector_id
  WHERE c.deleted_at IS NULL AND s.type = ANY($1)`;

/** What is known of sources that Sluice reads, on the table connector_sources. */
export function createSourceReadStore(pool: Pool): SourceReadStore {
  const tasks = async (rest: string, values: unknown[]): Promise<NewTask[]> => {
    const { rows } = await retried(() => pool.query(`SELECT ${taskColumns} ${rest}`, values));
    return rows.map(({ connector_id: connectorId, name, organization_id: tenant }) =>
      ({ worker: sourceReadWorker, key: sourceTaskKey({ connectorId, name }), tenant }));
  };
  return {
    find: async ({ connectorId, name }) => {
      const { rows } = await retried(() =>
        pool.query({ name: 'find-source', text: findSql, values: [asId(connectorId), name] }));
      return rows[0] ? readingOf(rows[0]) : null;
    },
    end: (fence, source, end) => inTransaction(pool, async (client) => {
      await assertFence(client, fence);
      await storeEnd(client, source, end);
    }),
    note: async ({ connectorId, name }, { cursor, error, eventAt, readAt }) => {
      const values = [
        asId(connectorId), name, cursor !== undefined, cursor === undefined ? null : JSON.stringify(cursor), readAt ?? null,
        eventAt ?? null, error !== undefined, error ?? null,
      ];
      await retried(() => pool.query({ name: 'note-source', text: noteSql, values }));
    },
    contents: async ({ connectorId, name }, externalIds) => {
      const sql = `SELECT external_id, content FROM source_contents
        WHERE connector_id = $1 AND source_name = $2 AND external_id = ANY($3)`;
      const keys = new Map(externalIds.map((id) => [contentKey(id), id]));
      const { rows } = await retried(() => pool.query(sql, [connectorId, name, [...keys.keys()]]));
      return new Map(rows.map(({ external_id, content }) => [keys.get(external_id)!, content]));
    },
    keepContents: (fence, { connectorId, createdAt, name }, contents) => inTransaction(pool, async (client) => {
      await assertFence(client, fence);
      const byKey = new Map([...contents].map(([id, content]) => [contentKey(id), content]));
      const rows = [...byKey].map(([key, content]) => ({ external_id: key, content }));
      await client.query(keepSql, [connectorId, name, bulkParameter(rows), createdAt]);
    }),
    tasks: (types, after, limit) => tasks(
      `AND ($2::text IS NULL OR s.connector_id::text || '/' || s.name > $2) ORDER BY s.connector_id::text || '/' || s.name LIMIT $3`,
      [types, after, limit],
    ),
    tasksOf: (types: readonly SourceType[], connectorIds) => tasks('AND s.connector_id = ANY($2::uuid[])', [types, connectorIds]),
  };
}

async function storeEnd(client: PoolClient, { connectorId, createdAt, name }: ReadSourceRef, end: SourceReadEnd): Promise<void> {
  const { schedule, nextDueAt, waitUntil, retryAfterAt, failures, readAt, eventAt, error, answered } = end;
  const cursor = end.cursor === undefined ? null : JSON.stringify(end.cursor);
  await client.query({
    name: 'end-source-reading', text: endSql,
    values: [
      connectorId, name, schedule, nextDueAt, waitUntil, retryAfterAt, failures, end.cursor !== undefined, cursor, readAt ?? null,
      eventAt ?? null, error !== undefined, error ?? null, answered ?? null, createdAt,
    ],
  });
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a row of the driver
const readingOf = (row: any): SourceReading => ({
  type: row.type,
  enabled: row.enabled,
  cursor: row.cursor,
  createdAt: row.created_at,
  pollRequestedAt: row.poll_requested_at,
  schedule: row.due_schedule,
  nextDueAt: row.next_due_at,
  waitUntil: row.wait_until,
  retryAfterAt: row.retry_after_at,
  failures: row.failures,
});
