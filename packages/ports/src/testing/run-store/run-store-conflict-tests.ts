import { randomUUID } from 'node:crypto';
import type { ConflictRecord } from '../../run-store/conflict-store';
import { InvalidCursor } from '../../shared/list-cursor';
import { madeUpCursors } from '../shared/made-up-cursors';
import { aConflict, aSettlement, ownPartition, type RunStoreLab } from './run-store-lab';

/** Conflict records: settled with outcomes, read apart. */
export function conflictTests(lab: () => RunStoreLab): void {
  describe('conflict records', () => {
    const settle = async (conflicts: ConflictRecord[], epochBehind = 0n): Promise<void> => {
      const lease = await ownPartition(lab().store);
      await lab().store.settle([aSettlement({ ...lease, epoch: lease.epoch - epochBehind }, { conflicts })]);
    };
    const minute = (minutes: number): string => new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString();

    it('are stored as they are, once, whatever a repeat says', async () => {
      const first = aConflict({ sourceValue: null, externalId: null, targetModifiedAt: null, targetModifiedBy: null });
      await settle([first]);
      await settle([{ ...first, winner: 'source' }]);
      expect(await lab().conflicts.list(first.connectorId, { limit: 10 })).toEqual({ items: [first], nextCursor: null });
      expect(await lab().conflicts.count(first.connectorId)).toBe(1);
    });

    it('are not stored by a settlement of an old epoch', async () => {
      const refused = aConflict();
      await settle([refused], 1n);
      expect(await lab().conflicts.count(refused.connectorId)).toBe(0);
    });

    it('are listed by connector, newest first, page by page, and narrowed', async () => {
      const connectorId = randomUUID();
      const [a, b, c] = [
        aConflict({ connectorId, createdAt: minute(1), property: 'phone' }),
        aConflict({ connectorId, createdAt: minute(2), winner: 'source', externalId: 'C-2' }),
        aConflict({ connectorId, createdAt: minute(3), entityName: 'order' }),
      ];
      await settle([a, b, c, aConflict()]);
      const ids = async (query: object): Promise<string[]> =>
        (await lab().conflicts.list(connectorId, { limit: 10, ...query })).items.map(({ id }) => id);
      expect(await ids({})).toEqual([c.id, b.id, a.id]);
      expect(await ids({ property: 'phone' })).toEqual([a.id]);
      expect(await ids({ winner: 'source' })).toEqual([b.id]);
      expect(await ids({ externalId: 'C-2' })).toEqual([b.id]);
      expect(await ids({ entity: 'order' })).toEqual([c.id]);
      const first = await lab().conflicts.list(connectorId, { limit: 2 });
      expect(first.items).toEqual([c, b]);
      expect(await lab().conflicts.list(connectorId, { limit: 2, cursor: first.nextCursor! })).toEqual({
        items: [a],
        nextCursor: null,
      });
      for (const cursor of madeUpCursors)
        await expect(lab().conflicts.list(connectorId, { limit: 2, cursor })).rejects.toThrow(InvalidCursor);
    });
  });
}
