import { randomUUID } from 'node:crypto';
import { aRow, aSettlement, aUnit, acceptedAt, ownPartition, type RunStoreLab } from './run-store-lab';
import { until } from '../shared/until';

const newPartition = () => ({ topic: `test.${randomUUID()}`, partition: 0 });
const minute = { leaseMs: 60_000, graceMs: 1_000 };

/** Leases and epochs (docs/architecture.md, Who owns a partition). */
export function ownershipTests(lab: () => RunStoreLab): void {
  describe('ownership', () => {
    it('gives a free partition to one of many concurrent callers', async () => {
      const ref = newPartition();
      const stores = [lab().store, lab().other];
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) => stores[n % 2]!.ownership.acquire(ref, { owner: `owner-${n}`, ...minute })),
      );
      expect(answers.filter(({ acquired }) => acquired)).toHaveLength(1);
    });

    it('returns how long a lease and its grace still last', async () => {
      const ref = newPartition();
      await lab().store.ownership.acquire(ref, { owner: 'one', ...minute });
      const answer = await lab().other.ownership.acquire(ref, { owner: 'two', ...minute });
      expect(answer).toEqual({ acquired: false, waitMs: expect.any(Number) });
      if (answer.acquired) return;
      expect(answer.waitMs).toBeGreaterThan(60_000);
      expect(answer.waitMs).toBeLessThanOrEqual(61_000);
    });

    it('counts the epoch up with every owner', async () => {
      const lease = await ownPartition(lab().store);
      await lab().store.ownership.release(lease);
      const next = await lab().other.ownership.acquire(lease, { owner: 'two', ...minute });
      expect(next.acquired && next.epoch > lease.epoch).toBe(true);
    });

    it('gives a partition to another owner once lease and grace have passed, and reports that to the former one', async () => {
      const ref = newPartition();
      const first = await lab().store.ownership.acquire(ref, { owner: 'one', leaseMs: 50, graceMs: 50 });
      if (!first.acquired) throw new Error('not acquired');
      let epoch = 0n;
      await until('the lease and its grace are over', async () => {
        const answer = await lab().other.ownership.acquire(ref, { owner: 'two', leaseMs: 60_000, graceMs: 50 });
        if (answer.acquired) epoch = answer.epoch;
        return answer.acquired;
      });
      expect(epoch).toBeGreaterThan(first.epoch);
      const late = { ...ref, epoch: first.epoch };
      expect((await lab().store.ownership.renew('one', [late], 60_000)).lost).toEqual([late]);
    });

    it('tells its own time with each lease that it gives and prolongs', async () => {
      const ref = newPartition();
      const taken = await lab().store.ownership.acquire(ref, { owner: 'one', ...minute });
      if (!taken.acquired) throw new Error('not acquired');
      const { storeMs } = await lab().other.ownership.renew('one', [{ ...ref, epoch: taken.epoch }], 60_000);
      expect(storeMs).toBeGreaterThanOrEqual(taken.storeMs);
      expect(storeMs! - taken.storeMs).toBeLessThan(60_000);
      const unknown = await lab().store.ownership.renew('one', [{ ...newPartition(), epoch: 1n }], 60_000);
      expect(unknown.lost).toHaveLength(1);
      expect(unknown.storeMs).toBeGreaterThanOrEqual(storeMs!);
    });

    it('waits for the lease and the grace', async () => {
      const ref = newPartition();
      await lab().store.ownership.acquire(ref, { owner: 'one', leaseMs: 1, graceMs: 60_000 });
      await until('the lease alone is over', async () => {
        const answer = await lab().other.ownership.acquire(ref, { owner: 'two', leaseMs: 1, graceMs: 60_000 });
        if (answer.acquired) throw new Error('taken inside the grace');
        return answer.waitMs < 60_000;
      });
    });

    it('lets only the same installation take over its own lease at once', async () => {
      const lease = await ownPartition(lab().store, 'one');
      expect(await lab().other.ownership.acquire(lease, { owner: 'two', takeOver: true, ...minute })).toMatchObject({
        acquired: false,
      });
      expect(await lab().other.ownership.acquire(lease, { owner: 'one', ...minute })).toMatchObject({ acquired: false });
      const again = await lab().other.ownership.acquire(lease, { owner: 'one', takeOver: true, ...minute });
      expect(again.acquired && again.epoch > lease.epoch).toBe(true);
    });

    it('renews what is held and names what is lost, released or another’s', async () => {
      const kept = await ownPartition(lab().store, 'one');
      const released = await ownPartition(lab().store, 'one');
      const foreign = await ownPartition(lab().store, 'two');
      await lab().store.ownership.release(released);
      expect((await lab().store.ownership.renew('one', [kept, released, foreign], 60_000)).lost).toEqual([released, foreign]);
    });

    it('keeps a renewed lease past its first end', async () => {
      const ref = newPartition();
      const first = await lab().store.ownership.acquire(ref, { owner: 'one', leaseMs: 100, graceMs: 0 });
      if (!first.acquired) throw new Error('not acquired');
      expect((await lab().store.ownership.renew('one', [{ ...ref, epoch: first.epoch }], 60_000)).lost).toEqual([]);
      const answer = await lab().other.ownership.acquire(ref, { owner: 'two', leaseMs: 100, graceMs: 0 });
      expect(answer.acquired ? 0 : answer.waitMs).toBeGreaterThan(50_000);
    });

    it('a release under an old epoch releases nothing', async () => {
      const lease = await ownPartition(lab().store);
      await lab().store.ownership.release({ ...lease, epoch: lease.epoch - 1n });
      expect(await lab().other.ownership.acquire(lease, { owner: 'two', ...minute })).toMatchObject({ acquired: false });
    });

    it('refuses all writes of an old owner, and accepts the others of the same call', async () => {
      const old = await ownPartition(lab().store);
      const fine = await ownPartition(lab().store);
      await lab().store.ownership.release(old);
      await lab().other.ownership.acquire(old, { owner: 'two', ...minute });
      const [mine, stale] = [aUnit(), aUnit()];
      const answer = await lab().store.settle([
        aSettlement(old, { unit: stale, verdict: { kind: 'rows', rows: [aRow(stale)] } }),
        aSettlement(fine, { unit: mine, verdict: { kind: 'rows', rows: [aRow(mine)] } }),
      ]);
      expect(answer.refused).toEqual([0]);
      const done = await lab().store.finished([mine, stale].map((unit) => ({ ...unit, acceptedAt })));
      expect([...done]).toEqual([`${mine.eventId}/0/first`]);
    });

    it('refuses a partition nobody ever owned', async () => {
      const lease = { ...newPartition(), epoch: 1n };
      expect((await lab().store.settle([aSettlement(lease)])).refused).toEqual([0]);
    });
  });
}
