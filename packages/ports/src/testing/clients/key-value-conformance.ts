import { randomUUID } from 'node:crypto';
import type { KeyValue } from '../../key-value';
import { keyValueLimitTests } from './key-value-limit-tests';
import { until } from '../shared/until';

export interface KeyValueLab {
  /** Another client of the same store. */
  open(): Promise<KeyValue>;
  close(): Promise<void>;
}

/** What every key-value store must do. Times are real, in small pieces. Call it at the top level of a test file. */
export function keyValueConformance(name: string, makeLab: () => Promise<KeyValueLab>): void {
  describe(`${name} is a key-value store`, () => {
    let lab: KeyValueLab;
    const opened: KeyValue[] = [];
    const open = async (): Promise<KeyValue> => {
      const client = await lab.open();
      opened.push(client);
      return client;
    };
    let store: KeyValue;
    let key: string;
    beforeAll(async () => {
      lab = await makeLab();
      store = await open();
    });
    beforeEach(() => {
      key = `test:${randomUUID()}`;
    });
    afterAll(async () => {
      await Promise.all(opened.map((client) => client.close()));
      await lab.close();
    });
    const ttl = { ttlMs: 60_000 };
    const brief = { ttlMs: 100 };
    const over = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 160));

    it('keeps, overwrites and deletes values', async () => {
      expect(await store.get(key)).toBeNull();
      await store.set(key, 'größer\n\u0000', ttl);
      expect(await store.get(key)).toBe('größer\n\u0000');
      await store.set(key, '', ttl);
      expect(await store.get(key)).toBe('');
      await store.set(`${key}2`, 'b', ttl);
      expect(await store.getMany([`${key}2`, `${key}missing`, key])).toEqual(['b', null, '']);
      await store.delete([key, `${key}2`, `${key}missing`]);
      expect(await store.getMany([key, `${key}2`])).toEqual([null, null]);
    });

    it('takes empty lists', async () => {
      expect(await store.getMany([])).toEqual([]);
      await store.delete([]);
    });

    it('is seen by every client', async () => {
      const other = await open();
      await store.set(key, 'a', ttl);
      expect(await other.get(key)).toBe('a');
      await other.close();
      expect(await store.get(key)).toBe('a');
    });

    it('deletes a value when its time to live is over', async () => {
      await store.set(key, 'a', brief);
      expect(await store.get(key)).toBe('a');
      await over();
      expect(await store.get(key)).toBeNull();
      expect(await store.setIfAbsent(key, 'b', brief)).toBe(true);
      await over();
      expect(await store.setIfAbsent(key, 'c', ttl)).toBe(true);
    });

    it('sets only what is absent, for one caller only', async () => {
      const results = await Promise.all(Array.from({ length: 20 }, (_, index) => store.setIfAbsent(key, `${index}`, ttl)));
      expect(results.filter(Boolean)).toHaveLength(1);
      expect(await store.get(key)).toBe(`${results.indexOf(true)}`);
    });

    it('counts, from the first increment on for its time to live', async () => {
      const sums = await Promise.all(Array.from({ length: 10 }, () => store.increment(key, 2, { ttlMs: 400 })));
      expect(sums.sort((a, b) => a - b)).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20]);
      expect(await store.get(key)).toBe('20');
      await new Promise((resolve) => setTimeout(resolve, 250));
      expect(await store.increment(key, -5, { ttlMs: 400 })).toBe(15);
      await new Promise((resolve) => setTimeout(resolve, 250));
      expect(await store.increment(key, 1, { ttlMs: 400 })).toBe(1);
    });

    it('counts within a limit', async () => {
      const results = await Promise.all(Array.from({ length: 10 }, () => store.incrementWithin(key, 3, 10, ttl)));
      expect(results.filter(({ added }) => added)).toHaveLength(3);
      expect(await store.incrementWithin(key, 2, 10, ttl)).toEqual({ added: false, value: 9 });
      expect(await store.incrementWithin(key, 1, 10, ttl)).toEqual({ added: true, value: 10 });
      expect(await store.get(key)).toBe('10');
    });

    keyValueLimitTests(() => ({ store, key }));

    it('throws KeyValueUnavailable after it was closed', async () => {
      const closed = await open();
      await until('health', () => closed.healthy());
      await closed.close();
      expect(closed.healthy()).toBe(false);
      await expect(closed.get(key)).rejects.toMatchObject({ name: 'KeyValueUnavailable' });
    });
  });
}
