import { type CrmJournalStore, journalOffsetExpired } from '@sluice/ports';
import type { Pool, PoolClient } from 'pg';
import { assertFence } from '../tasks/assert-fence';
import { inTransaction, retried } from '../transaction';

const placeSql = `
  INSERT INTO crm_journal (id, journal_offset, read_at) VALUES (1, $1, now())
  ON CONFLICT (id) DO UPDATE SET journal_offset = excluded.journal_offset, read_at = excluded.read_at`;

/** Sources of the journal that are on, of connectors that are bound, in organizations that are not closed for good. */
const isReader = `c.deleted_at IS NULL AND c.binding_portal_id IS NOT NULL AND o.state <> 'closed' AND s.type = 'crm' AND s.enabled`;
const fromReaders = `FROM connectors c JOIN organizations o ON o.id = c.organization_id
  WHERE c.id = s.connector_id AND ${isReader}`;

const readSql = `
  UPDATE connector_sources s SET last_poll_at = now(), cursor = to_jsonb($1::text),
    last_error = CASE WHEN s.last_error = '${journalOffsetExpired}' THEN s.last_error END
  ${fromReaders}`;
const lostSql = `
  UPDATE connector_sources s SET last_poll_at = now(), cursor = to_jsonb($1::text), last_error = '${journalOffsetExpired}'
  ${fromReaders}`;
const failedSql = `
  UPDATE connector_sources s SET last_poll_at = now(),
    last_error = CASE WHEN s.last_error = '${journalOffsetExpired}' THEN s.last_error ELSE $1 END
  ${fromReaders}`;
const readersSql = `
  SELECT s.connector_id, s.name, c.binding_portal_id, c.revision,
  GREATEST(s.created_at, c.bound_at) AS since FROM connector_sources s
  JOIN connectors c ON c.id = s.connector_id JOIN organizations o ON o.id = c.organization_id
  WHERE ${isReader} ORDER BY s.connector_id, s.name`;

/** The place in the CRM's journal, on the tables crm_journal and connector_sources. */
export function createCrmJournalStore(pool: Pool): CrmJournalStore {
  const place = (fence: Parameters<CrmJournalStore['read']>[0], offset: string | null, sql: string): Promise<void> =>
    inTransaction(pool, async (client: PoolClient) => {
      await assertFence(client, fence);
      await client.query(placeSql, [offset]);
      await client.query(sql, [offset]);
    });
  return {
    position: async () => {
      const { rows } = await retried(() => pool.query('SELECT journal_offset FROM crm_journal'));
      return rows[0]?.journal_offset as string | null | undefined;
    },
    read: (fence, offset) => place(fence, offset, readSql),
    lost: (fence, offset) => place(fence, offset, lostSql),
    failed: async (error) => void (await retried(() => pool.query(failedSql, [error.slice(0, 500)]))),
    readers: async () => {
      const { rows } = await retried(() => pool.query(readersSql));
      return rows.map(({ binding_portal_id: portalId, connector_id: connectorId, name, revision, since }) =>
        ({ connectorId, name, portalId, revision, since }));
    },
  };
}
