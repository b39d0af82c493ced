import type { IdentityMappingRow, MappingStore } from '../../config-store';
import { announce, liveConnector, type MemoryConfigState } from './memory-config-state';
import { copy } from '../shared/memory-copy';

const keyOf = (entity: string, externalId: string): string => JSON.stringify([entity, externalId]);

/** Identity mappings of the twin. */
export function createMemoryMappings(state: MemoryConfigState): MappingStore {
  const rowsOf = (connectorId: string) => state.connectors.get(connectorId)?.mappings ?? new Map<string, IdentityMappingRow>();
  return {
    count: async (connectorId, entity) =>
      [...rowsOf(connectorId).values()].filter((row) => entity === null || row.entity === entity).length,
    find: async (connectorId, entity, externalId) => copy(rowsOf(connectorId).get(keyOf(entity, externalId)) ?? null),
    findByRecord: async (connectorId, entity, { objectType, crmId }) => {
      const found = [...rowsOf(connectorId).values()].find((row) =>
        row.entity === entity && row.objectType === objectType && row.crmId === crmId);
      return copy(found ?? null);
    },
    save: async ({ connectorId, bindingEpoch, entity, externalId, objectType, crmId }) => {
      const connector = liveConnector(state, connectorId);
      if (!connector || connector.epoch !== bindingEpoch) return 'binding_changed';
      const rows = [...connector.mappings.values()];
      const isTaken = rows.some((row) => row.entity === entity
        && (row.externalId === externalId || (row.objectType === objectType && row.crmId === crmId)));
      if (isTaken) return 'taken';
      connector.mappings.set(keyOf(entity, externalId), { entity, externalId, objectType, crmId });
      return 'saved';
    },
    restore: async (connectorId, bindingEpoch, mappings) => {
      const connector = liveConnector(state, connectorId);
      if (!connector || connector.epoch !== bindingEpoch) return 'binding_changed';
      const present: IdentityMappingRow[] = [];
      for (const { entity, externalId, objectType, crmId } of mappings) {
        const known = connector.mappings.get(keyOf(entity, externalId));
        if (known) present.push(copy(known));
        else connector.mappings.set(keyOf(entity, externalId), { entity, externalId, objectType, crmId });
      }
      return { saved: mappings.length - present.length, present };
    },
    remove: async (connectorId, entity, externalId) => {
      const connector = liveConnector(state, connectorId);
      if (!connector?.mappings.delete(keyOf(entity, externalId))) return false;
      connector.mappingsRemoved += 1;
      announce(state, [connector]);
      return true;
    },
  };
}
