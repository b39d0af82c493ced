import { conflictsCounted, type ConflictRecord, type ConflictStore } from '../../run-store/conflict-store';
import { listCursor } from '../../shared/list-cursor';

const cursors = listCursor('conflicts', 'id');

const newestFirst = (a: ConflictRecord, b: ConflictRecord): number =>
  b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id);

/** The conflict records of a run store in memory. @param records what was settled, by id */
export function memoryConflicts(records: ReadonlyMap<string, ConflictRecord>): ConflictStore {
  const ofConnector = (id: string): ConflictRecord[] => [...records.values()].filter(({ connectorId }) => connectorId === id);
  return {
    list: async (connectorId, { entity, externalId, property, winner, limit, cursor }) => {
      const asked = { entityName: entity, externalId, property, winner };
      const matches = (one: ConflictRecord): boolean =>
        Object.entries(asked).every(([name, value]) => value === undefined || one[name as keyof typeof asked] === value);
      const all = ofConnector(connectorId).filter(matches).sort(newestFirst);
      const [after] = cursors.read(cursor) ?? [null];
      const rest = all.slice(all.findIndex(({ id }) => id === after) + 1);
      return { items: rest.slice(0, limit), nextCursor: rest.length > limit ? cursors.of([rest[limit - 1]!.id]) : null };
    },
    count: async (connectorId) => Math.min(ofConnector(connectorId).length, conflictsCounted),
  };
}
