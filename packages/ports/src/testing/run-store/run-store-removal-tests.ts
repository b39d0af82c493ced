import { randomUUID } from 'node:crypto';
import { aMapping, aSettlement, acceptedAt, ownPartition, type RunStoreLab } from './run-store-lab';
import type { AcceptPosition, Mapping, MappingRemoval } from '../../run-store/identity-map';

const at = (offset: bigint): AcceptPosition => ({ partition: 3, offset, acceptedAt });

/** Mappings that are removed because their records were deleted. */
export function removalTests(lab: () => RunStoreLab): void {
  describe('removals of mappings', () => {
    async function bound(): Promise<{ connectorId: string; mapping: Mapping; removal(offset: bigint): MappingRemoval }> {
      const connectorId = randomUUID();
      await lab().bind(connectorId, 1);
      const mapping = aMapping({ connectorId, crmId: randomUUID(), position: at(10n) });
      return { connectorId, mapping, removal: (offset) => ({ ...mapping, position: at(offset) }) };
    }
    const left = async ({ connectorId, entity, externalId }: Mapping): Promise<string | undefined> =>
      (await lab().other.mappings([{ connectorId, entity, externalId }]))[0]?.crmId;

    it('remove the mapping if it still points to the deleted record', async () => {
      const { mapping, removal } = await bound();
      const lease = await ownPartition(lab().store);
      await lab().store.settle([aSettlement(lease, { mappings: [mapping] })]);
      await lab().store.settle([aSettlement(lease, { mappingsRemoved: [{ ...removal(11n), crmId: 'another' }] })]);
      expect(await left(mapping)).toBe(mapping.crmId);
      await lab().store.settle([aSettlement(lease, { mappingsRemoved: [removal(12n)] })]);
      expect(await left(mapping)).toBeUndefined();
    });

    it('come before the saves of their settlement, and after those of settlements before it', async () => {
      const { mapping, removal } = await bound();
      const lease = await ownPartition(lab().store);
      const saved = aSettlement(lease, { mappings: [mapping] });
      await lab().store.settle([saved, aSettlement(lease, { mappingsRemoved: [removal(11n)] })]);
      expect(await left(mapping)).toBeUndefined();
      const anew = { ...mapping, crmId: 'anew', position: at(12n) };
      await lab().store.settle([saved]);
      await lab().store.settle([aSettlement(lease, { mappingsRemoved: [removal(12n)], mappings: [anew] })]);
      expect(await left(mapping)).toBe('anew');
    });

    it('are stored with their position, the latest one', async () => {
      const { connectorId, mapping, removal } = await bound();
      const lease = await ownPartition(lab().store);
      for (const offset of [11n, 14n, 12n])
        await lab().store.settle([aSettlement(lease, { mappingsRemoved: [removal(offset)] })]);
      const { entity, externalId } = mapping;
      const asked = [9n, 13n, 14n, 15n].map((offset) => ({ connectorId, entity, externalId, position: at(offset) }));
      const other = { connectorId, entity, externalId: 'C-2', position: at(1n) };
      expect(await lab().other.haveNewerRemovals([...asked, other])).toEqual([true, true, false, false, false]);
    });

    it('that found nothing are stored too, and remove no mapping', async () => {
      const { connectorId, mapping, removal } = await bound();
      const lease = await ownPartition(lab().store);
      const asked = { connectorId, entity: mapping.entity, externalId: mapping.externalId };
      const nothing = aSettlement(lease, { mappingsRemoved: [{ ...removal(11n), crmId: null }] });
      await lab().store.settle([aSettlement(lease, { mappings: [mapping] }), nothing]);
      expect(await left(mapping)).toBe(mapping.crmId);
      const asks = [10n, 12n].map((offset) => ({ ...asked, position: at(offset) }));
      expect(await lab().other.haveNewerRemovals(asks)).toEqual([true, false]);
    });

    it('of an old epoch change nothing', async () => {
      const { connectorId, mapping, removal } = await bound();
      const lease = await ownPartition(lab().store);
      await lab().store.settle([aSettlement(lease, { mappings: [mapping] })]);
      await lab().store.settle([aSettlement({ ...lease, epoch: lease.epoch - 1n }, { mappingsRemoved: [removal(11n)] })]);
      expect(await left(mapping)).toBe(mapping.crmId);
      const { entity, externalId } = mapping;
      expect(await lab().store.haveNewerRemovals([{ connectorId, entity, externalId, position: at(1n) }])).toEqual([false]);
    });
  });

  it('finds the mappings that lead to a record, of every connector', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    await lab().bind(one, 1);
    await lab().bind(two, 1);
    const crmId = randomUUID();
    const mappings = [
      aMapping({ connectorId: one, crmId }),
      aMapping({ connectorId: one, crmId, externalId: 'C-2', position: null }),
      aMapping({ connectorId: two, crmId, entity: 'lead' }),
      aMapping({ connectorId: one, externalId: 'C-3', crmId: randomUUID() }),
    ];
    await lab().store.settle([aSettlement(await ownPartition(lab().store), { mappings })]);
    const { portalId, objectType } = mappings[0]!;
    const found = await lab().other.mappingsTo([
      { portalId, objectType, crmId },
      { portalId, objectType: 'deals', crmId },
    ]);
    const byKey = (list: readonly Mapping[]) =>
      [...list].sort((a, b) =>
        JSON.stringify([a.connectorId, a.externalId]).localeCompare(JSON.stringify([b.connectorId, b.externalId])),
      );
    expect(byKey(found)).toEqual(byKey(mappings.slice(0, 3)));
    expect(await lab().store.mappingsTo([])).toEqual([]);
  });
}
