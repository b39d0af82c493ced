import { randomUUID } from 'node:crypto';
import { unitKeyText, type ClaimKey } from '../run-store';
import { aSettlement, aUnit, ownPartition, type RunStoreLab } from './run-store-lab';

const aClaim = (): ClaimKey => ({ portalId: '77', objectType: 'contacts', property: 'email', value: `${randomUUID()}@shop.test` });
const by = (unit: string) => [{ connectorId: randomUUID(), unit }];

/** Claims before creates: one identity, one record (DESIGN 2.7, No twins). */
export function claimTests(lab: () => RunStoreLab): void {
  describe('claims', () => {
    it('grants a claim to exactly one of many who ask at once', async () => {
      const keys = Array.from({ length: 20 }, aClaim);
      const stores = [lab().store, lab().other];
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, n) => {
          const asked = n % 2 ? keys : [...keys].reverse();
          return stores[n % 2]!.claim(asked, asked.map(() => by(`unit-${n}`)[0]!)).then((states) => new Map(asked.map((key, i) => [key.value, states[i]!.state])));
        }),
      );
      for (const { value } of keys) {
        const states = answers.map((answer) => answer.get(value));
        expect(states.filter((state) => state === 'granted')).toHaveLength(1);
        expect(states.filter((state) => state === 'pending')).toHaveLength(5);
      }
    });

    it('grants the first of equal claims in one call; the same unit meets its own', async () => {
      const key = aClaim();
      const answers = await lab().store.claim([key, key, key], [...by('a'), ...by('b'), ...by('a')]);
      expect(answers.map(({ state }) => state)).toEqual(['granted', 'pending', 'own']);
    });

    it('tells a rerun since when it has claimed', async () => {
      const key = aClaim();
      const before = Date.now();
      await lab().store.claim([key], by('a'));
      const [answer] = await lab().other.claim([key], by('a'));
      expect(answer).toEqual({ state: 'own', claimedAtMs: expect.any(Number) });
      expect(Math.abs((answer as { claimedAtMs: number }).claimedAtMs - before)).toBeLessThan(60_000);
    });

    it('answers the record once the claim is done', async () => {
      const key = aClaim();
      const unit = aUnit();
      const lease = await ownPartition(lab().store);
      await lab().store.claim([key], by(unitKeyText(unit)));
      await lab().store.settle([aSettlement(lease, { unit, claimsDone: [{ ...key, crmId: '42' }] })]);
      expect(await lab().other.claim([key, key], [...by('b'), ...by(unitKeyText(unit))])).toEqual([{ state: 'done', crmId: '42' }, { state: 'done', crmId: '42' }]);
    });

    it('keeps a claim done that nobody had taken', async () => {
      const key = aClaim();
      await lab().store.settle([aSettlement(await ownPartition(lab().store), { claimsDone: [{ ...key, crmId: '43' }] })]);
      expect(await lab().store.claim([key], by('b'))).toEqual([{ state: 'done', crmId: '43' }]);
    });

    it('gives up a claim for its own unit only, and a done one for anybody', async () => {
      const key = aClaim();
      const [mine, foreign] = [aUnit(), aUnit()];
      const lease = await ownPartition(lab().store);
      await lab().store.claim([key], by(unitKeyText(mine)));
      await lab().store.settle([aSettlement(lease, { unit: foreign, claimsReleased: [key] })]);
      expect((await lab().store.claim([key], by('b')))[0]?.state).toBe('pending');
      await lab().store.settle([aSettlement(lease, { unit: mine, claimsReleased: [key] })]);
      expect((await lab().store.claim([key], by('b')))[0]?.state).toBe('granted');
      await lab().store.settle([aSettlement(lease, { unit: mine, claimsDone: [{ ...key, crmId: '44' }] })]);
      await lab().store.settle([aSettlement(lease, { unit: foreign, claimsReleased: [key] })]);
      expect((await lab().store.claim([key], by('c')))[0]?.state).toBe('granted');
    });

    it('ignores claims of an old owner', async () => {
      const key = aClaim();
      const lease = await ownPartition(lab().store);
      await lab().store.settle([aSettlement({ ...lease, epoch: lease.epoch - 1n }, { claimsDone: [{ ...key, crmId: '45' }] })]);
      expect((await lab().store.claim([key], by('b')))[0]?.state).toBe('granted');
    });
  });
}
