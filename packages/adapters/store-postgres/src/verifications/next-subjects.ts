import type { Verification, VerificationSubject } from '@sluice/ports';
import type { Pool } from 'pg';
import type { KeptRows } from '../kept-rows';
import { retried } from '../transaction';
import { landed, landedOf } from './landed-rows';

/** Runs of a record that are looked at: what older ones wrote alone is not compared. */
const mostRuns = 5;

/**
 * Events of one accept time that are searched for a record, and of them those that are compared: rows of one import share theirs.
 */
const [mostSearched, mostCompared] = [1_000, 5];

/**
 * The row that speaks for a run: its own, which has the traces of all steps, else that of its first item. A record that was
 * written by several runs of one event counts with the newest.
 */
const landedSql = ({ records }: KeptRows): string => `
  SELECT DISTINCT ON (s.event_id, s.entity_index, s.run) s.completed_at, coalesce(s.action LIKE 'delete%', false) AS deleted,
    (SELECT o.id FROM sync_events o WHERE o.event_id = s.event_id AND o.entity_index = s.entity_index AND o.run = s.run
       AND o.created_at = s.created_at ORDER BY o.item IS NOT NULL, o.id LIMIT 1) AS row_id
  FROM ${records} s
  WHERE ${landedOf('v', 's')}
  ORDER BY s.event_id, s.entity_index, s.run, s.completed_at DESC`;

/**
 * A later step of a flow may have written the record last: then the row of the event names another record. The mapping knows when
 * that event was accepted; its flow tells whether it wrote the record. First those whose steps name the record of the CRM.
 */
const byLaterStepSql = ({ records }: KeptRows): string => `
  SELECT s.completed_at, false AS deleted, s.id AS row_id
  FROM (SELECT * FROM ${records} a WHERE a.connector_id = $2 AND a.created_at = m.position_accepted_at AND a.item IS NULL
      AND ${landed('a')} ORDER BY a.id LIMIT ${mostSearched}) s
  WHERE NOT EXISTS (SELECT FROM sync_events d WHERE ${landedOf('v', 'd')} AND d.created_at = m.position_accepted_at)
  ORDER BY strpos(s.steps::text, m.crm_id) > 0 DESC, s.id LIMIT ${mostCompared}`;

const nextSql = (kept: KeptRows): string => `
  SELECT v.n, v.external_id, m.crm_id, m.object_type,
    coalesce((SELECT json_agg(json_build_object('rowId', l.row_id, 'deleted', l.deleted) ORDER BY l.completed_at DESC, l.row_id)
      FROM ((SELECT completed_at, deleted, row_id FROM (${landedSql(kept)}) runs
          ORDER BY completed_at DESC, row_id LIMIT ${mostRuns})
        UNION ALL (${byLaterStepSql(kept)})) l), '[]') AS landed,
    m.crm_id IS NULL AND EXISTS (SELECT FROM ${kept.records} s WHERE s.connector_id = $2 AND s.external_id = v.external_id
      AND s.entity_name = $3 AND s.status IN ('failed', 'dlq', 'partial_success', 'parked', 'quarantined')) AS accepted
  FROM (SELECT n, external_id FROM verification_rows WHERE verification_id = $1 AND status IS NULL ORDER BY n LIMIT $4) v
  LEFT JOIN identity_mappings m ON m.connector_id = $2 AND m.entity = $3 AND m.external_id = v.external_id
  ORDER BY v.n`;

/** The next records of a verification, with what is known of them. */
export async function nextSubjects(
  pool: Pool, kept: KeptRows, { id, connectorId, entity }: Verification, limit: number,
): Promise<VerificationSubject[]> {
  const { rows } = await retried(() => pool.query(nextSql(kept), [id, connectorId, entity, limit]));
  return rows.map(({ n, external_id, crm_id, object_type, landed, accepted }): VerificationSubject => ({
    n, externalId: external_id, mapped: crm_id === null ? null : { crmId: crm_id, objectType: object_type }, landed, accepted,
  }));
}
