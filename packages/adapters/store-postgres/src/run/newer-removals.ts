import type { RunStore } from '@sluice/ports';
import type { Pool } from 'pg';
import { bulkParameter, bulkRows, keyText } from '../bulk-rows';
import { retried } from '../transaction';
import { laterPosition } from './later-position';

const keys = bulkRows({
  asked: 'integer',
  connector_id: 'uuid',
  entity: 'text',
  external_id: 'text',
  position_partition: 'integer',
  position_offset: 'bigint',
  position_accepted_at: 'timestamptz',
});

const newerSql = `
  SELECT r.asked FROM ${keys.from} JOIN mapping_removals m USING (connector_id, entity, external_id)
  WHERE ${laterPosition('m.position', 'r.position')}`;

/** Per mapping whether its record was deleted by an event that stands later than the position asked for. */
export async function haveNewerRemovals(pool: Pool, asked: Parameters<RunStore['haveNewerRemovals']>[0]): Promise<boolean[]> {
  if (asked.length === 0) return [];
  const rows = asked.map(({ connectorId, entity, externalId, position }, index) => ({
    asked: index,
    connector_id: connectorId,
    entity,
    external_id: keyText(externalId),
    position_partition: position.partition,
    position_offset: position.offset,
    position_accepted_at: position.acceptedAt,
  }));
  const found = await retried(() =>
    pool.query<{ asked: number }>({ name: 'newer-removals', text: newerSql, values: [bulkParameter(rows)] }),
  );
  const newer = new Set(found.rows.map((row) => row.asked));
  return asked.map((_, index) => newer.has(index));
}
