import { randomUUID } from 'node:crypto';
import { aUnit, ownPartition, type RunStoreLab } from './run-store-lab';

const none = { deaths: 0, aloneDeaths: 0 };
const beside = { ...none, alone: false };

const newPartition = () => ({ topic: `test.${randomUUID()}`, partition: 1 });

/** What was under way when a runner died, and whether one died at all. */
export function crashTests(lab: () => RunStoreLab): void {
  describe('crash watch', () => {
    it('counts a death for each unit that was begun and not ended', async () => {
      const ref = newPartition();
      const [first, second, ended] = [aUnit(), aUnit({ entityIndex: 2 }), aUnit()];
      const { crashWatch } = lab().store;
      await crashWatch.begin(ref, [first, second, ended].map((unit) => ({ unit, ...beside })));
      await crashWatch.end(ref, [ended]);
      const counted = await lab().other.crashWatch.countDeaths(ref);
      expect(counted).toHaveLength(2);
      expect(counted).toEqual(expect.arrayContaining([first, second].map((unit) => ({ unit, ...none, deaths: 1 }))));
      // Of the next life, only the first has begun.
      await crashWatch.begin(ref, [{ unit: first, ...beside, deaths: 1 }]);
      const again = await crashWatch.countDeaths(ref);
      expect(again).toEqual(expect.arrayContaining([{ unit: first, ...none, deaths: 2 }, { unit: second, ...none, deaths: 1 }]));
    });

    it('keeps the higher number of deaths of a unit that begins again', async () => {
      const ref = newPartition();
      const unit = aUnit();
      await lab().store.crashWatch.begin(ref, [{ unit, deaths: 2, aloneDeaths: 1, alone: false }]);
      await lab().store.crashWatch.begin(ref, [{ unit, ...beside }]);
      expect(await lab().store.crashWatch.countDeaths(ref)).toEqual([{ unit, deaths: 3, aloneDeaths: 1 }]);
    });

    it('counts deaths in a row of a unit that was alone apart from those beside others', async () => {
      const ref = newPartition();
      const unit = aUnit();
      const { crashWatch } = lab().store;
      await crashWatch.begin(ref, [{ unit, ...beside, deaths: 1 }]);
      await crashWatch.begin(ref, [{ unit, ...none, alone: true }]);
      expect(await crashWatch.countDeaths(ref)).toEqual([{ unit, deaths: 1, aloneDeaths: 1 }]);
      await crashWatch.begin(ref, [{ unit, ...none, alone: true }]);
      await crashWatch.begin(ref, [{ unit, ...beside }]);
      expect(await crashWatch.countDeaths(ref)).toEqual([{ unit, deaths: 2, aloneDeaths: 1 }]);
      await crashWatch.begin(ref, [{ unit, ...none, alone: true }]);
      expect(await crashWatch.countDeaths(ref)).toEqual([{ unit, deaths: 2, aloneDeaths: 2 }]);
      // Now the process dies without it.
      expect(await lab().other.crashWatch.countDeaths(ref)).toEqual([{ unit, deaths: 2, aloneDeaths: 0 }]);
    });

    it('deletes the notes of one partition, and of no other', async () => {
      const [ref, other] = [newPartition(), newPartition()];
      for (const one of [ref, other]) await lab().store.crashWatch.begin(one, [{ unit: aUnit(), ...beside }]);
      await lab().store.crashWatch.forget(ref);
      expect(await lab().store.crashWatch.countDeaths(ref)).toEqual([]);
      expect(await lab().store.crashWatch.countDeaths(other)).toHaveLength(1);
    });

    it('tells a new owner whether the former one released the partition', async () => {
      const short = { leaseMs: 1, graceMs: 0 };
      const fresh = await lab().store.ownership.acquire(newPartition(), { owner: 'one', ...short });
      expect(fresh).toMatchObject({ acquired: true, unclean: false });
      const lease = await ownPartition(lab().store, 'one');
      await lab().store.ownership.release(lease);
      const afterRelease = await lab().other.ownership.acquire(lease, { owner: 'two', leaseMs: 60_000, graceMs: 0 });
      expect(afterRelease).toMatchObject({ acquired: true, unclean: false });
      const afterDeath = await lab().store.ownership.acquire(lease, {
        owner: 'two',
        takeOver: true,
        leaseMs: 60_000,
        graceMs: 0,
      });
      expect(afterDeath).toMatchObject({ acquired: true, unclean: true });
    });
  });
}
