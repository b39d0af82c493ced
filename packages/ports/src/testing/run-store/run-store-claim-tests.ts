import { randomUUID } from 'node:crypto';
import { type RunStore } from '../../run-store/run-store';
import { unitKeyText } from '../../run-store/unit-key';
import { aSettlement, aUnit, ownPartition, type RunStoreLab } from './run-store-lab';
import { until } from '../shared/until';
import type { ClaimKey } from '../../run-store/identity-map';

const aClaim = (): ClaimKey => ({
  portalId: '77',
  objectType: 'contacts',
  property: 'email',
  value: `${randomUUID()}@shop.test`,
});
/** Longer than any of these tests: no claim counts as abandoned. */
const minute = { abandonedAfterMs: 60_000 };
const atOnce = { abandonedAfterMs: 1 };
const by = (unit: string) => [{ connectorId: randomUUID(), unit }];

const ownClaim = () => ({ state: 'own', ageMs: expect.any(Number), claimedAt: expect.any(Number) });

/** The age of a unit's own claim in the store. */
async function ageOf(store: RunStore, key: ClaimKey, unit: string): Promise<number> {
  const [answer] = await store.claim([key], by(unit), minute);
  expect(answer).toEqual(ownClaim());
  return (answer as { ageMs: number }).ageMs;
}

/** Claims before creates: one record per identity (ADR 0007). */
export function claimTests(lab: () => RunStoreLab): void {
  describe('claims', () => {
    it('grants a claim to exactly one of many who ask at once', async () => {
      const keys = Array.from({ length: 20 }, aClaim);
      const stores = [lab().store, lab().other];
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, n) => {
          const asked = n % 2 ? keys : [...keys].reverse();
          return stores[n % 2]!.claim(
            asked,
            asked.map(() => by(`unit-${n}`)[0]!),
            minute,
          ).then((states) => new Map(asked.map((key, i) => [key.value, states[i]!.state])));
        }),
      );
      for (const { value } of keys) {
        const states = answers.map((answer) => answer.get(value));
        expect(states.filter((state) => state === 'granted')).toHaveLength(1);
        expect(states.filter((state) => state === 'pending')).toHaveLength(5);
      }
    });

    it('grants the first of equal claims in one call; the same unit gets its own', async () => {
      const key = aClaim();
      const answers = await lab().store.claim([key, key, key], [...by('a'), ...by('b'), ...by('a')], minute);
      expect(answers.map(({ state }) => state)).toEqual(['granted', 'pending', 'own']);
    });

    it('tells a repeated attempt the age of its claim', async () => {
      const key = aClaim();
      const before = Date.now();
      await lab().store.claim([key], by('a'), minute);
      const age = await ageOf(lab().other, key, 'a');
      expect(age).toBeGreaterThanOrEqual(0);
      expect(age).toBeLessThan(Date.now() - before + 1_000);
      await until('it got older', async () => (await ageOf(lab().other, key, 'a')) >= age + 100);
      // The time of the claim stays.
      const [answer] = await lab().store.claim([key], by('a'), minute);
      const { claimedAt } = answer as { claimedAt: number };
      expect(Math.abs(claimedAt - before)).toBeLessThan(60_000);
      expect((await lab().store.claim([key], by('a'), minute))[0]).toMatchObject({ claimedAt });
    });

    it('answers the record once the claim is done', async () => {
      const key = aClaim();
      const unit = aUnit();
      const lease = await ownPartition(lab().store);
      await lab().store.claim([key], by(unitKeyText(unit)), minute);
      await lab().store.settle([aSettlement(lease, { unit, claimsDone: [{ ...key, crmId: '42' }] })]);
      expect(await lab().other.claim([key, key], [...by('b'), ...by(unitKeyText(unit))], minute)).toEqual([
        { state: 'done', crmId: '42' },
        { state: 'done', crmId: '42' },
      ]);
    });

    it('stores a done claim that was not claimed before', async () => {
      const key = aClaim();
      await lab().store.settle([aSettlement(await ownPartition(lab().store), { claimsDone: [{ ...key, crmId: '43' }] })]);
      expect(await lab().store.claim([key], by('b'), minute)).toEqual([{ state: 'done', crmId: '43' }]);
    });

    it('releases a claim only for its own unit, and a done one for any unit that names its record', async () => {
      const key = aClaim();
      const [mine, foreign] = [aUnit(), aUnit()];
      const lease = await ownPartition(lab().store);
      await lab().store.claim([key], by(unitKeyText(mine)), minute);
      await lab().store.settle([aSettlement(lease, { unit: foreign, claimsReleased: [key] })]);
      expect((await lab().store.claim([key], by('b'), minute))[0]?.state).toBe('pending');
      await lab().store.settle([aSettlement(lease, { unit: mine, claimsReleased: [key] })]);
      expect((await lab().store.claim([key], by('b'), minute))[0]?.state).toBe('granted');
      await lab().store.settle([aSettlement(lease, { unit: mine, claimsDone: [{ ...key, crmId: '44' }] })]);
      for (const released of [key, { ...key, crmId: '43' }]) {
        await lab().store.settle([aSettlement(lease, { unit: mine, claimsReleased: [released] })]);
        expect((await lab().store.claim([key], by('c'), minute))[0]).toEqual({ state: 'done', crmId: '44' });
      }
      await lab().store.settle([aSettlement(lease, { unit: foreign, claimsReleased: [{ ...key, crmId: '44' }] })]);
      expect((await lab().store.claim([key], by('c'), minute))[0]?.state).toBe('granted');
    });

    it('lets exactly one of many concurrent units take over an abandoned claim', async () => {
      const left = Array.from({ length: 20 }, aClaim);
      await lab().store.claim(left, left.map(() => by('gone')[0]!), minute);
      const old = { abandonedAfterMs: 2_000 };
      // Claimed after the others: once it is old, all are.
      const probe = aClaim();
      await lab().store.claim([probe], by('gone'), minute);
      await until(
        'the claims are old',
        async () => (await lab().other.claim([probe], by('probe'), old))[0]?.state === 'taken_over',
      );
      const stores = [lab().store, lab().other];
      const answers = await Promise.all(
        Array.from({ length: 6 }, async (_, n) => {
          const asked = n % 2 ? left : [...left].reverse();
          const states = await stores[n % 2]!.claim(asked, asked.map(() => by(`unit-${n}`)[0]!), old);
          return new Map(asked.map((key, i) => [key.value, states[i]!]));
        }),
      );
      for (const { value } of left) {
        const states = answers.map((answer) => answer.get(value)!.state);
        expect(states.filter((state) => state === 'taken_over')).toHaveLength(1);
        expect(states.filter((state) => state === 'pending')).toHaveLength(5);
      }
    });

    it('gives a claim that was taken over to its new unit, with the age of the take-over', async () => {
      const key = aClaim();
      const gone = aUnit();
      await lab().store.claim([key], by(unitKeyText(gone)), minute);
      await until('it is old', async () => (await ageOf(lab().store, key, unitKeyText(gone))) >= 300);
      const seenAt = performance.now();
      await until('taken over', async () => (await lab().other.claim([key], by('b'), atOnce))[0]?.state === 'taken_over');
      const [own, former] = await lab().store.claim([key, key], [...by('b'), ...by(unitKeyText(gone))], minute);
      expect([own?.state, former?.state]).toEqual(['own', 'pending']);
      expect((own as { ageMs: number }).ageMs).toBeLessThan(performance.now() - seenAt + 100);
      await lab().store.settle([aSettlement(await ownPartition(lab().store), { unit: gone, claimsReleased: [key] })]);
      expect((await lab().store.claim([key], by(unitKeyText(gone)), minute))[0]?.state).toBe('pending');
    });

    it('lets no unit take over a recent or a done claim; its own unit keeps it at any age', async () => {
      const [fresh, done, mine] = [aClaim(), aClaim(), aClaim()];
      const unit = aUnit();
      await lab().store.claim([fresh, done, mine], [...by('a'), ...by(unitKeyText(unit)), ...by('b')], minute);
      await lab().store.settle([aSettlement(await ownPartition(lab().store), { unit, claimsDone: [{ ...done, crmId: '46' }] })]);
      const probe = aClaim();
      await lab().store.claim([probe], by('a'), minute);
      await until(
        'all are older than that',
        async () => (await lab().store.claim([probe], by('b'), atOnce))[0]?.state === 'taken_over',
      );
      expect((await lab().other.claim([fresh], by('b'), minute))[0]?.state).toBe('pending');
      expect(await lab().other.claim([done, mine], [...by('b'), ...by('b')], atOnce)).toEqual([
        { state: 'done', crmId: '46' },
        ownClaim(),
      ]);
    });

    it('ignores claims of an old owner', async () => {
      const key = aClaim();
      const lease = await ownPartition(lab().store);
      await lab().store.settle([aSettlement({ ...lease, epoch: lease.epoch - 1n }, { claimsDone: [{ ...key, crmId: '45' }] })]);
      expect((await lab().store.claim([key], by('b'), minute))[0]?.state).toBe('granted');
    });
  });
}
