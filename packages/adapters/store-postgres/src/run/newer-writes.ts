import type { RunStore } from '@sluice/ports';
import type { Pool } from 'pg';
import { bulkRows } from '../bulk-rows';
import { areFound } from './are-found';
import { laterPosition } from './later-position';
import { positionColumns, positionRow } from './position-columns';

const records = bulkRows({ asked: 'integer', portal_id: 'text', object_type: 'text', crm_id: 'text', ...positionColumns });

/** LIMIT inside LATERAL: one index probe per record and table, which ends at the first newer write. */
const text = `
  SELECT r.asked FROM ${records.from}, LATERAL (
    (SELECT 1 FROM identity_mappings m
    WHERE m.portal_id = r.portal_id AND m.object_type = r.object_type AND m.crm_id = r.crm_id AND m.position_offset IS NOT NULL
      AND ${laterPosition('m.position', 'r.position')} LIMIT 1)
    UNION ALL
    (SELECT 1 FROM record_writes w
    WHERE w.portal_id = r.portal_id AND w.object_type = r.object_type AND w.crm_id = r.crm_id
      AND ${laterPosition('w.position', 'r.position')}) LIMIT 1) newer`;

/** For each record whether it has a write later than the given position, through any mapping. */
export function haveNewerWrites(pool: Pool, asked: Parameters<RunStore['haveNewerWrites']>[0]): Promise<boolean[]> {
  const rows = asked.map(({ portalId, objectType, crmId, position }) => ({
    portal_id: portalId, object_type: objectType, crm_id: crmId, ...positionRow(position),
  }));
  return areFound(pool, { name: 'newer-writes', text }, rows);
}
