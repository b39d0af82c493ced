import type { Verification, VerificationSubject } from '@sluice/ports';
import type { Pool } from 'pg';
import { retried } from '../transaction';

/** Runs of a record that are looked at: what older ones wrote alone is not compared. */
const mostRuns = 5;

/**
 * The row that speaks for a run: its own, which has the traces of all steps, else that of its first item. A record that was
 * written by several runs of one event counts with the newest.
 */
const landedSql = `
  SELECT DISTINCT ON (s.event_id, s.entity_index, s.run) s.completed_at, coalesce(s.action LIKE 'delete%', false) AS deleted,
    (SELECT o.id FROM sync_events o WHERE o.event_id = s.event_id AND o.entity_index = s.entity_index AND o.run = s.run
       AND o.created_at = s.created_at ORDER BY o.item IS NOT NULL, o.id LIMIT 1) AS row_id
  FROM sync_events s
  WHERE s.connector_id = $2 AND s.entity_name = $3 AND md5(s.external_id) = md5(v.external_id) AND s.external_id = v.external_id
    AND s.status IN ('completed', 'partial_success')
  ORDER BY s.event_id, s.entity_index, s.run, s.completed_at DESC`;

const nextSql = `
  SELECT v.n, v.external_id, m.crm_id, m.object_type,
    coalesce((SELECT json_agg(json_build_object('rowId', l.row_id, 'deleted', l.deleted) ORDER BY l.completed_at DESC, l.row_id)
      FROM (SELECT * FROM (${landedSql}) runs ORDER BY completed_at DESC, row_id LIMIT ${mostRuns}) l), '[]') AS landed,
    m.crm_id IS NULL AND EXISTS (SELECT FROM sync_events s WHERE s.connector_id = $2 AND s.external_id = v.external_id
      AND s.entity_name = $3 AND s.status IN ('failed', 'dlq', 'partial_success', 'parked', 'quarantined')) AS accepted
  FROM (SELECT n, external_id FROM verification_rows WHERE verification_id = $1 AND status IS NULL ORDER BY n LIMIT $4) v
  LEFT JOIN identity_mappings m ON m.connector_id = $2 AND m.entity = $3 AND m.external_id = v.external_id
  ORDER BY v.n`;

/** The next records of a verification, with what is known of them. */
export async function nextSubjects(
  pool: Pool, { id, connectorId, entity }: Verification, limit: number,
): Promise<VerificationSubject[]> {
  const { rows } = await retried(() => pool.query(nextSql, [id, connectorId, entity, limit]));
  return rows.map(({ n, external_id, crm_id, object_type, landed, accepted }): VerificationSubject => ({
    n, externalId: external_id, mapped: crm_id === null ? null : { crmId: crm_id, objectType: object_type }, landed, accepted,
  }));
}
