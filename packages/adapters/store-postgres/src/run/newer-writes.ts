import type { RunStore } from '@sluice/ports';
import type { Pool } from 'pg';
import { bulkParameter, bulkRows } from '../bulk-rows';
import { retried } from '../transaction';
import { laterPosition } from './later-position';

const records = bulkRows({
  asked: 'integer',
  portal_id: 'text',
  object_type: 'text',
  crm_id: 'text',
  position_partition: 'integer',
  position_offset: 'bigint',
  position_accepted_at: 'timestamptz',
});

/** LIMIT inside LATERAL: one index probe per record and table, which ends at the first newer write. */
const newerSql = `
  SELECT r.asked FROM ${records.from}, LATERAL (
    (SELECT 1 FROM identity_mappings m
    WHERE m.portal_id = r.portal_id AND m.object_type = r.object_type AND m.crm_id = r.crm_id AND m.position_offset IS NOT NULL
      AND ${laterPosition('m.position', 'r.position')} LIMIT 1)
    UNION ALL
    (SELECT 1 FROM record_writes w
    WHERE w.portal_id = r.portal_id AND w.object_type = r.object_type AND w.crm_id = r.crm_id
      AND ${laterPosition('w.position', 'r.position')}) LIMIT 1) newer`;

/** Per record whether a write that landed on it stands later than the position asked for, whose mapping it ever was. */
export async function haveNewerWrites(pool: Pool, asked: Parameters<RunStore['haveNewerWrites']>[0]): Promise<boolean[]> {
  if (asked.length === 0) return [];
  const rows = asked.map(({ portalId, objectType, crmId, position }, index) => ({
    asked: index, portal_id: portalId, object_type: objectType, crm_id: crmId,
    position_partition: position.partition, position_offset: position.offset, position_accepted_at: position.acceptedAt,
  }));
  const found = await retried(() =>
    pool.query<{ asked: number }>({ name: 'newer-writes', text: newerSql, values: [bulkParameter(rows)] }),
  );
  const newer = new Set(found.rows.map((row) => row.asked));
  return asked.map((_, index) => newer.has(index));
}
