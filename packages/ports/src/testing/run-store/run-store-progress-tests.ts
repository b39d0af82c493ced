import { randomUUID } from 'node:crypto';
import type { PartitionLease, PartitionProgress } from '../../run-store/partition-ownership';
import { aHeld, aHold, aRow, aSettlement, aUnit, acceptedAt, ownPartition, type RunStoreLab } from './run-store-lab';
import { until } from '../shared/until';

const minute = { leaseMs: 60_000, graceMs: 1_000 };

/** Up to which offset a partition is settled, and a store that was restored to an earlier state (ADR 0052). */
export function progressTests(lab: () => RunStoreLab): void {
  const taken = async (lease: PartitionLease): Promise<PartitionLease & PartitionProgress> => {
    const answer = await lab().other.ownership.acquire(lease, { owner: 'two', ...minute });
    if (!answer.acquired) throw new Error('not free');
    const { epoch, settledOffset, revision } = answer;
    return { topic: lease.topic, partition: lease.partition, epoch, settledOffset, revision };
  };
  /** The progress that the next owner reads. */
  const progressOf = async (lease: PartitionLease): Promise<PartitionProgress> => {
    await lab().store.ownership.release(lease);
    const { settledOffset, revision } = await taken(lease);
    return { settledOffset, revision };
  };

  describe('progress of a partition', () => {
    it('begins at 0 for a partition nobody ever owned', async () => {
      const lease = { topic: `test.${randomUUID()}`, partition: 1, epoch: 0n };
      expect(await taken(lease)).toMatchObject({ settledOffset: 0n, revision: 0n });
    });

    it('is stored with each settlement, and counts the settlements', async () => {
      const lease = await ownPartition(lab().store);
      const first = await lab().store.settle(
        [aSettlement(lease), aSettlement(lease)],
        [{ ...lease, settledOffset: 5n, revision: 0n }],
      );
      expect(first.revisions).toEqual([{ ...lease, revision: 1n }]);
      const second = await lab().store.settle([aSettlement(lease)], [{ ...lease, settledOffset: 7n, revision: 1n }]);
      expect(second.revisions).toEqual([{ ...lease, revision: 2n }]);
      expect(await progressOf(lease)).toEqual({ settledOffset: 7n, revision: 2n });
    });

    it('is stored by renewals and by the release, and never goes back', async () => {
      const lease = await ownPartition(lab().store);
      const { ownership } = lab().store;
      expect((await ownership.renew('one', [{ ...lease, settledOffset: 9n, revision: 0n }], 60_000)).lost).toEqual([]);
      expect((await ownership.renew('one', [{ ...lease, settledOffset: 8n, revision: 0n }], 60_000)).lost).toEqual([]);
      await lab().store.settle([aSettlement(lease)], [{ ...lease, settledOffset: 3n, revision: 0n }]);
      expect(await progressOf(lease)).toEqual({ settledOffset: 9n, revision: 1n });
      const next = await lab().other.ownership.acquire(lease, { owner: 'two', takeOver: true, ...minute });
      if (!next.acquired) throw new Error('not taken over');
      await lab().other.ownership.release({ ...lease, epoch: next.epoch, settledOffset: 11n, revision: 1n });
      expect(await taken(lease)).toMatchObject({ settledOffset: 11n, revision: 1n });
    });

    it('is not changed by a former owner', async () => {
      const lease = await ownPartition(lab().store);
      await lab().store.ownership.release(lease);
      const next = await taken(lease);
      const late = { ...lease, settledOffset: 99n, revision: 0n };
      expect((await lab().store.ownership.renew('one', [late], 60_000)).lost).toEqual([lease]);
      expect((await lab().store.settle([aSettlement(lease)], [late])).refused).toEqual([0]);
      await lab().store.ownership.release(late);
      await lab().other.ownership.release(next);
      expect(await taken(lease)).toMatchObject({ settledOffset: 0n, revision: 0n });
    });
  });

  describe('a store that was restored to an earlier state', () => {
    it('refuses the writes of an owner with a later revision, and reports its lease as lost', async () => {
      const [lease, fine] = [await ownPartition(lab().store, 'one'), await ownPartition(lab().store, 'one')];
      const known = { ...lease, settledOffset: 1n, revision: 0n };
      await lab().store.settle([aSettlement(lease)], [known]);
      const putBack = await lab().backup();
      const held = aHeld(lease, 1n);
      const { revisions } = await lab().store.settle([aHold(lease, held)], [{ ...known, revision: 1n }]);
      expect(revisions).toEqual([{ ...lease, revision: 2n }]);
      await putBack();

      const ahead = { ...lease, settledOffset: 2n, revision: 2n };
      const [mine, other] = [aUnit(), aUnit()];
      const answer = await lab().store.settle([
        aSettlement(lease, { unit: mine, verdict: { kind: 'rows', rows: [aRow(mine)] } }),
        aSettlement(fine, { unit: other, verdict: { kind: 'rows', rows: [aRow(other)] } }),
      ], [ahead, fine]);
      expect(answer.refused).toEqual([0]);
      expect([...(await lab().store.finished([mine, other].map((unit) => ({ ...unit, acceptedAt }))))]).toEqual([
        `${other.eventId}/0/first`,
      ]);
      expect((await lab().store.ownership.renew('one', [ahead, fine], 60_000)).lost).toEqual([lease]);
      await lab().store.ownership.release(ahead);
      expect(await taken(lease)).toMatchObject({ settledOffset: 1n, revision: 1n });
    });

    it('accepts an owner without a later revision', async () => {
      const lease = await ownPartition(lab().store, 'one');
      const { revisions } = await lab().store.settle([aSettlement(lease)]);
      const putBack = await lab().backup();
      await putBack();
      expect((await lab().store.ownership.renew('one', [{ ...lease, ...revisions[0] }], 60_000)).lost).toEqual([]);
      expect((await lab().store.settle([aSettlement(lease)], [{ ...lease, ...revisions[0] }])).refused).toEqual([]);
    });

    it('never uses an epoch twice', async () => {
      const lease = await ownPartition(lab().store);
      await lab().store.ownership.release(lease);
      const putBack = await lab().backup();
      const lost = await taken(lease);
      await putBack();
      const asked = Date.now();
      await until('another millisecond', () => Date.now() > asked + 1);
      expect((await taken(lease)).epoch).toBeGreaterThan(lost.epoch);
    });
  });
}
