import { randomUUID } from 'node:crypto';
import { aMapping, aSettlement, acceptedAt, ownPartition, type RunStoreLab } from './run-store-lab';
import type { AcceptPosition, CrmRecordKey, Mapping } from '../../run-store/identity-map';

const at = (partition: number, offset: bigint, minutes = 0): AcceptPosition => ({
  partition,
  offset,
  acceptedAt: new Date(Date.parse(acceptedAt) + minutes * 60_000).toISOString(),
});

/** Identity mappings: the newest accept position wins, and only the present binding may write. */
export function mappingTests(lab: () => RunStoreLab): void {
  describe('identity mappings', () => {
    /** Makes saves one after another for a bound connector. @returns the mapping after them */
    async function saved(...steps: Partial<Mapping>[]): Promise<Mapping | undefined> {
      const connectorId = randomUUID();
      await lab().bind(connectorId, 1);
      const lease = await ownPartition(lab().store);
      for (const step of steps)
        await lab().store.settle([aSettlement(lease, { mappings: [aMapping({ connectorId, ...step })] })]);
      return (await lab().other.mappings([{ connectorId, entity: 'customer', externalId: 'C-1' }]))[0];
    }

    it.each([
      ['a later offset of the same partition, though accepted earlier by the clock', at(3, 10n), at(3, 11n, -5), true],
      ['the same position again', at(3, 10n), at(3, 10n), true],
      ['an earlier offset of the same partition', at(3, 10n), at(3, 9n, 5), false],
      ['another partition, accepted later', at(3, 10n), at(4, 1n, 5), true],
      ['another partition, accepted earlier', at(3, 10n), at(4, 99n, -5), false],
      ['an earlier offset of a topic that was created again', at(3, 10n), at(3, 2n, 61), true],
      ['a later offset of the earlier topic', at(3, 2n, 61), at(3, 10n), false],
      ['a replay of an event accepted later, with any offset', at(-1, 10n), at(-1, 9n, 1), true],
      ['a replay of an event accepted earlier, with any offset', at(-1, 9n, 1), at(-1, 10n), false],
    ])('%s', async (_, first, second, wins) => {
      const left = await saved({ position: first, crmId: '1' }, { position: second, crmId: '2' });
      expect(left).toMatchObject(wins ? { position: second, crmId: '2' } : { position: first, crmId: '1' });
    });

    it('keeps the offset when a replay of an event of the same millisecond is written', async () => {
      expect(await saved({ position: at(3, 10n), crmId: '1' }, { position: at(-1, 5n), crmId: '2' })).toMatchObject({
        crmId: '2',
        position: at(3, 10n),
      });
    });

    it('takes the offset when an event of the same millisecond is written after a replay', async () => {
      const place = at(3, 10n);
      expect(await saved({ position: at(-1, 5n), crmId: '1' }, { position: place, crmId: '2' })).toMatchObject({
        crmId: '2',
        position: place,
      });
    });

    it('keeps the position of the first of two replays of events of one millisecond: neither is older', async () => {
      const [lower, higher] = [at(-1, 5n), at(-1, 2n ** 63n - 1n)];
      for (const [first, second] of [[lower, higher], [higher, lower]] as const) {
        const left = await saved({ position: first, crmId: '1' }, { position: second, crmId: '2' });
        expect(left).toMatchObject({ crmId: '2', position: first });
      }
    });

    it('takes a found record for an unknown key, without a position', async () => {
      expect(await saved({ position: null })).toMatchObject({ crmId: '501', position: null });
    });

    it('keeps the position of the last landed write when a record is only found', async () => {
      expect(await saved({ position: at(3, 10n), crmId: '1' }, { position: null, crmId: '2' })).toMatchObject({
        crmId: '2',
        position: at(3, 10n),
      });
    });

    it('takes the newest of several saves of one key in one call', async () => {
      const connectorId = randomUUID();
      await lab().bind(connectorId, 1);
      const lease = await ownPartition(lab().store);
      const saves = [at(3, 11n), at(3, 12n), at(3, 10n)].map((position) =>
        aMapping({ connectorId, position, crmId: String(position.offset) }),
      );
      await lab().store.settle(saves.map((mapping) => aSettlement(lease, { mappings: [mapping] })));
      expect(await lab().store.mappings([saves[0]!])).toEqual([saves[1]]);
    });

    it('refuses a save of another binding epoch silently, and takes the rest of the settlement', async () => {
      const connectorId = randomUUID();
      await lab().bind(connectorId, 2);
      const lease = await ownPartition(lab().store);
      const stale = aMapping({ connectorId, externalId: 'old', bindingEpoch: 1 });
      const fine = aMapping({ connectorId, externalId: 'new', bindingEpoch: 2 });
      expect((await lab().store.settle([aSettlement(lease, { mappings: [stale, fine] })])).refused).toEqual([]);
      expect(await lab().store.mappings([stale, fine])).toEqual([fine]);
    });

    it('keeps nothing of an older binding when saves and the rebind run at the same time', async () => {
      const connectorId = randomUUID();
      await lab().bind(connectorId, 1);
      const lease = await ownPartition(lab().store);
      const mappings = Array.from({ length: 30 }, (_, n) => aMapping({ connectorId, externalId: `C-${n}` }));
      const saves = mappings.map((mapping, n) =>
        (n % 2 ? lab().store : lab().other).settle([aSettlement(lease, { mappings: [mapping] })]),
      );
      await Promise.all([...saves, lab().bind(connectorId, 2)]);
      expect(await lab().store.mappings(mappings)).toEqual([]);
    });

    it('refuses a save for a connector that was never bound', async () => {
      const lease = await ownPartition(lab().store);
      const mapping = aMapping();
      await lab().store.settle([aSettlement(lease, { mappings: [mapping] })]);
      expect(await lab().store.mappings([mapping])).toEqual([]);
    });

    it('refuses the mappings of an old owner', async () => {
      const connectorId = randomUUID();
      await lab().bind(connectorId, 1);
      const lease = await ownPartition(lab().store);
      const mapping = aMapping({ connectorId });
      await lab().store.settle([aSettlement({ ...lease, epoch: lease.epoch + 5n }, { mappings: [mapping] })]);
      expect(await lab().store.mappings([mapping])).toEqual([]);
    });

    it('answers only keys that exist, of their connector and entity', async () => {
      const connectorId = randomUUID();
      await lab().bind(connectorId, 1);
      const lease = await ownPartition(lab().store);
      const mapping = aMapping({ connectorId });
      await lab().store.settle([aSettlement(lease, { mappings: [mapping] })]);
      const others = [
        { ...mapping, entity: 'company' },
        { ...mapping, connectorId: randomUUID() },
        { ...mapping, externalId: 'c-1' },
      ];
      expect(await lab().store.mappings([...others, mapping])).toEqual([mapping]);
    });

    describe('newer writes of a CRM record', () => {
      /** Saves mappings, each for a connector of its own. @returns a question about a record of theirs */
      async function landed(...mappings: Partial<Mapping>[]) {
        const record: CrmRecordKey = { portalId: '77', objectType: 'contacts', crmId: randomUUID() };
        const lease = await ownPartition(lab().store);
        for (const over of mappings) {
          const connectorId = randomUUID();
          await lab().bind(connectorId, 1);
          await lab().store.settle([aSettlement(lease, { mappings: [aMapping({ connectorId, ...record, ...over })] })]);
        }
        return async (position: AcceptPosition, over: Partial<CrmRecordKey> = {}): Promise<boolean | undefined> =>
          (await lab().other.haveNewerWrites([{ ...record, ...over, position }]))[0];
      }

      it('are found under any external id of any connector, by offset or by accept time', async () => {
        const newer = await landed({ externalId: 'a', position: at(3, 10n) }, { externalId: 'b', position: at(4, 20n, 5) });
        expect(await newer(at(3, 9n, 6))).toBe(true);
        expect(await newer(at(3, 10n, 5))).toBe(false);
        expect(await newer(at(3, 11n, 4))).toBe(true);
        expect(await newer(at(4, 19n, 9))).toBe(true);
        expect(await newer(at(4, 20n, 5))).toBe(false);
        expect(await newer(at(5, 1n, 4))).toBe(true);
        expect(await newer(at(5, 1n, 6))).toBe(false);
        expect(await newer(at(3, 1n, 70))).toBe(false);
      });

      it('are those of this record of this portal, without records that were only found', async () => {
        const newer = await landed({ position: at(3, 10n) });
        expect(await newer(at(3, 9n))).toBe(true);
        for (const other of [{ portalId: '78' }, { objectType: 'companies' }, { crmId: '0' }])
          expect(await newer(at(3, 9n), other)).toBe(false);
        expect(await (await landed({ position: null }))(at(3, 9n))).toBe(false);
        expect(await (await landed())(at(3, 9n))).toBe(false);
      });

      it('are found without a mapping: the latest counts', async () => {
        const record: CrmRecordKey = { portalId: '77', objectType: 'contacts', crmId: randomUUID() };
        const lease = await ownPartition(lab().store);
        const newer = async (position: AcceptPosition, over: Partial<CrmRecordKey> = {}): Promise<boolean | undefined> =>
          (await lab().other.haveNewerWrites([{ ...record, ...over, position }]))[0];
        const wrote = (...offsets: bigint[]): Promise<unknown> =>
          lab().store.settle(offsets.map((offset) =>
            aSettlement(lease, { recordWrites: [{ ...record, position: at(3, offset) }] })));
        expect(await newer(at(3, 1n))).toBe(false);
        await wrote(12n, 10n);
        await wrote(11n);
        expect(await newer(at(3, 11n))).toBe(true);
        expect(await newer(at(3, 12n))).toBe(false);
        for (const other of [{ portalId: '78' }, { objectType: 'companies' }, { crmId: '0' }])
          expect(await newer(at(3, 1n), other)).toBe(false);
        await lab().store.settle([
          aSettlement({ ...lease, epoch: lease.epoch - 1n }, { recordWrites: [{ ...record, position: at(3, 50n) }] }),
        ]);
        expect(await newer(at(3, 12n))).toBe(false);
      });

      it('are answered in the order of the questions', async () => {
        const record = { portalId: '77', objectType: 'contacts' };
        const [one, two] = [randomUUID(), randomUUID()];
        const connectorId = randomUUID();
        await lab().bind(connectorId, 1);
        const mapping = aMapping({ connectorId, crmId: one, position: at(3, 10n) });
        await lab().store.settle([aSettlement(await ownPartition(lab().store), { mappings: [mapping] })]);
        const asked = [
          { crmId: two, offset: 1n },
          { crmId: one, offset: 1n },
          { crmId: one, offset: 11n },
          { crmId: one, offset: 9n },
        ];
        expect(
          await lab().store.haveNewerWrites(asked.map(({ crmId, offset }) => ({ ...record, crmId, position: at(3, offset) }))),
        ).toEqual([false, true, false, true]);
      });
    });
  });
}
