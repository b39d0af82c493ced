import type { KeyValue } from '../../key-value';
import { until } from '../shared/until';

export function keyValueLimitTests(given: () => { store: KeyValue; key: string }): void {
  describe('limits', () => {
    it('slides a window: costs count until they are as old as the window', async () => {
      const { store, key } = given();
      const options = { limit: 5, windowMs: 2_500 };
      expect(await store.slideWindow(key, { ...options, cost: 3 })).toMatchObject({ allowed: true, remaining: 2 });
      const second = await store.slideWindow(key, { ...options, cost: 3 });
      expect(second).toMatchObject({ allowed: false, remaining: 2 });
      expect(second.resetMs).toBeGreaterThan(0);
      expect(second.resetMs).toBeLessThanOrEqual(2_500);
      expect(await store.slideWindow(key, options)).toMatchObject({ allowed: true, remaining: 1 });
      await until('room again', async () => (await store.slideWindow(key, { ...options, cost: 4 })).allowed);
      // A refused call counts nothing, else the window would never become empty.
      expect((await store.slideWindow(key, { ...options, cost: 4 })).allowed).toBe(false);
    });

    it('allows exactly as many as the window holds, over all clients', async () => {
      const { store, key } = given();
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => store.slideWindow(key, { limit: 10, windowMs: 30_000 })),
      );
      expect(answers.filter(({ allowed }) => allowed)).toHaveLength(10);
    });

    it('takes tokens from a bucket that refills', async () => {
      const { store, key } = given();
      const bucket = { capacity: 10, refillPerSecond: 3 };
      expect(await store.takeTokens(key, { ...bucket, want: 7 })).toEqual({ granted: 7, waitMs: 0 });
      const rest = await store.takeTokens(key, { ...bucket, want: 7 });
      expect(rest.granted).toBeGreaterThanOrEqual(3);
      expect(rest.granted).toBeLessThan(7);
      const dry = await store.takeTokens(key, { ...bucket, want: 10, min: 10 });
      expect(dry.granted).toBe(0);
      expect(dry.waitMs).toBeGreaterThan(0);
      expect(dry.waitMs).toBeLessThanOrEqual(3_334);
      await until(
        'a full bucket',
        async () => (await store.takeTokens(key, { ...bucket, want: 10, min: 10 })).granted === 10,
      );
    });

    it('grants at least the minimum or nothing', async () => {
      const { store, key } = given();
      const bucket = { capacity: 4, refillPerSecond: 0.001 };
      expect((await store.takeTokens(key, { ...bucket, want: 9, min: 5 })).granted).toBe(0);
      expect((await store.takeTokens(key, { ...bucket, want: 9, min: 4 })).granted).toBe(4);
      expect((await store.takeTokens(key, { ...bucket, want: 1 })).granted).toBe(0);
    });

    it('leaves tokens for others, and lets others take in advance', async () => {
      const { store, key } = given();
      const bucket = { capacity: 10, refillPerSecond: 0.001 };
      expect(await store.takeTokens(key, { ...bucket, want: 9, leave: 6 })).toEqual({ granted: 4, waitMs: 0 });
      const refused = await store.takeTokens(key, { ...bucket, want: 1, leave: 6 });
      expect(refused.granted).toBe(0);
      expect(refused.waitMs).toBeGreaterThan(900_000);
      expect((await store.takeTokens(key, { ...bucket, want: 9 })).granted).toBe(6);
      expect((await store.takeTokens(key, { ...bucket, want: 9, leave: -2 })).granted).toBe(2);
      expect((await store.takeTokens(key, { ...bucket, want: 1, leave: -2 })).granted).toBe(0);
      expect((await store.takeTokens(key, { ...bucket, want: 1 })).waitMs).toBeGreaterThan(2_900_000);
    });

    it('never grants more than there is, over all clients', async () => {
      const { store, key } = given();
      const grants = await Promise.all(
        Array.from({ length: 30 }, () => store.takeTokens(key, { capacity: 20, refillPerSecond: 0.001, want: 3 })),
      );
      expect(grants.reduce((sum, { granted }) => sum + granted, 0)).toBe(20);
    });

    it('lowers what is left in a bucket, never raises it', async () => {
      const { store, key } = given();
      const bucket = { capacity: 10, refillPerSecond: 0.001 };
      await store.capTokens(key, { ...bucket, remaining: 4 });
      await store.capTokens(key, { ...bucket, remaining: 8 });
      expect((await store.takeTokens(key, { ...bucket, want: 10 })).granted).toBe(4);
    });
  });
}
