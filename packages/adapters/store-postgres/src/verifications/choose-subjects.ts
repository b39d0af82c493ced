import type { Verification } from '@sluice/ports';
import type { PoolClient } from 'pg';
import type { KeptRows } from '../kept-rows';
import { landedOf } from './landed-rows';

const insertSql = 'INSERT INTO verification_rows (verification_id, n, external_id)';
const mapped = 'SELECT m.external_id FROM identity_mappings m WHERE m.connector_id = $2 AND m.entity = $3';

/** Longer than an event may wait: nothing that was accepted earlier landed since. */
const longestWait = "interval '15 days'";

/** Of a mapping: the event that wrote its record last names another record, and has ended since. */
const writtenByLaterStepSql = `m.updated_at >= $4 AND m.position_accepted_at >= $4::timestamptz - ${longestWait}
  AND NOT EXISTS (SELECT FROM sync_events d WHERE ${landedOf('m', 'd')} AND d.created_at = m.position_accepted_at)`;

/** Chooses the records of a verification, once. A sample is drawn from the mapped records at random. */
export async function chooseSubjects(
  client: PoolClient, { records }: KeptRows, { id, connectorId, entity, subjects }: Verification,
): Promise<void> {
  const of = [id, connectorId, entity];
  if ('externalIds' in subjects) {
    await client.query(
      `${insertSql} SELECT $1, row_number() OVER (ORDER BY min(place)), given FROM unnest($2::text[]) WITH ORDINALITY asked(given, place)
       GROUP BY given`, [id, subjects.externalIds],
    );
  } else if ('since' in subjects) {
    await client.query(
      `${insertSql} SELECT $1, row_number() OVER (ORDER BY external_id), external_id FROM (
         SELECT DISTINCT s.external_id FROM ${records} s
         WHERE s.connector_id = $2 AND s.entity_name = $3 AND s.external_id IS NOT NULL
           AND s.status IN ('completed', 'partial_success') AND s.completed_at >= $4
           AND s.created_at >= $4::timestamptz - ${longestWait}
         UNION ${mapped} AND ${writtenByLaterStepSql}) landed`,
      [...of, subjects.since],
    );
  } else {
    const { sample } = subjects;
    const size = 'count' in sample ? '$4::int' : `(SELECT ceil(count(*) * $4::float8 / 100)::int FROM (${mapped}) counted)`;
    await client.query(
      `${insertSql} SELECT $1, row_number() OVER (), external_id FROM (${mapped} ORDER BY random() LIMIT ${size}) drawn`,
      [...of, 'count' in sample ? sample.count : sample.percentage],
    );
  }
}
