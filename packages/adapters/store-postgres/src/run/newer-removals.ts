import type { RunStore } from '@sluice/ports';
import type { Pool } from 'pg';
import { bulkRows, keyText } from '../bulk-rows';
import { areFound } from './are-found';
import { laterPosition } from './later-position';
import { positionColumns, positionRow } from './position-columns';

const keys = bulkRows({ asked: 'integer', connector_id: 'uuid', entity: 'text', external_id: 'text', ...positionColumns });

const text = `
  SELECT r.asked FROM ${keys.from} JOIN mapping_removals m USING (connector_id, entity, external_id)
  WHERE ${laterPosition('m.position', 'r.position')}`;

/** For each mapping whether an event later than the given position deleted its record. */
export function haveNewerRemovals(pool: Pool, asked: Parameters<RunStore['haveNewerRemovals']>[0]): Promise<boolean[]> {
  const rows = asked.map(({ connectorId, entity, externalId, position }) => ({
    connector_id: connectorId, entity, external_id: keyText(externalId), ...positionRow(position),
  }));
  return areFound(pool, { name: 'newer-removals', text }, rows);
}
