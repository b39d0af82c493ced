import { randomBytes, randomUUID } from 'node:crypto';
import type { BlobStore } from '../../blob-store';
import { blobStoreStreamTests } from './blob-store-stream-tests';

export interface BlobStoreLab {
  /** Milliseconds between two times that the store tells apart. Default 50. */
  clockStepMs?: number;
}

/** What every blob store must do. Call it at the top level of a test file. */
export function blobStoreConformance(
  name: string,
  makeStore: () => Promise<BlobStore>,
  { clockStepMs = 50 }: BlobStoreLab = {},
): void {
  describe(`${name} is a blob store`, () => {
    let store: BlobStore;
    let key: string;
    beforeAll(async () => {
      store = await makeStore();
    });
    beforeEach(() => {
      key = `test/${randomUUID()}/a-b_c.JSON`;
    });

    it('keeps bytes as they are', async () => {
      const bytes = randomBytes(1_500_000);
      await store.put(key, bytes);
      expect((await store.get(key))?.equals(bytes)).toBe(true);
      await store.put(key, Buffer.alloc(0));
      expect(await store.get(key)).toHaveLength(0);
    });

    it('answers null for what is not there, and deletes any number of times', async () => {
      expect(await store.get(key)).toBeNull();
      await store.delete(key);
      await store.put(key, Buffer.from('a'));
      await store.delete(key);
      await store.delete(key);
      expect(await store.get(key)).toBeNull();
      expect(await store.get(`${key}/deeper`)).toBeNull();
    });

    it('shows a reader the old bytes or the new ones, never a mixture', async () => {
      const versions = [Buffer.alloc(200_000, 1), Buffer.alloc(200_000, 2)] as const;
      await store.put(key, versions[0]);
      const writes = Array.from({ length: 20 }, (_, index) => store.put(key, versions[index % 2] as Buffer));
      const reads = await Promise.all(Array.from({ length: 40 }, () => store.get(key)));
      await Promise.all(writes);
      for (const bytes of reads) expect(versions.some((version) => bytes?.equals(version))).toBe(true);
    });

    it('does not change when the caller changes its buffer', async () => {
      const bytes = Buffer.from('before');
      await store.put(key, bytes);
      bytes.write('after!');
      (await store.get(key))?.write('after!');
      expect(String(await store.get(key))).toBe('before');
    });

    it('deletes what was last put before a time, below one folder', async () => {
      const folder = `old/${randomUUID()}`;
      const [old, kept, beside] = [`${folder}/a/0.json`, `${folder}/b/0.json`, `${folder}-b/0.json`];
      for (const each of [old, kept, beside]) await store.put(each, Buffer.from('1'));
      await new Promise((resolve) => setTimeout(resolve, clockStepMs));
      const before = new Date();
      await new Promise((resolve) => setTimeout(resolve, clockStepMs));
      await store.put(kept, Buffer.from('2'));
      expect(await store.deleteOlderThan(folder, before)).toBe(1);
      expect(await Promise.all([old, kept, beside].map(async (each) => String(await store.get(each))))).toEqual([
        'null',
        '2',
        '1',
      ]);
      expect(await store.deleteOlderThan(folder, before)).toBe(0);
      expect(await store.deleteOlderThan(`${folder}/nothing-here`, before)).toBe(0);
      await store.put(old, Buffer.from('3'));
      expect(String(await store.get(old))).toBe('3');
    });

    it('counts a renewed blob as put at that time, with the same bytes', async () => {
      const folder = `renewed/${randomUUID()}`;
      const [kept, old] = [`${folder}/kept.json`, `${folder}/old.json`];
      for (const each of [kept, old]) await store.put(each, Buffer.from('1'));
      await new Promise((resolve) => setTimeout(resolve, clockStepMs));
      const before = new Date();
      await new Promise((resolve) => setTimeout(resolve, clockStepMs));
      expect(await store.renew(kept)).toBe(true);
      expect(await store.deleteOlderThan(folder, before)).toBe(1);
      expect([String(await store.get(kept)), await store.renew(old)]).toEqual(['1', false]);
    });

    it('takes keys of 512 characters', async () => {
      const long = ['x'.repeat(512), `${'x'.repeat(511)}y`, 'x'.repeat(200), `${'x'.repeat(200)}/${'x'.repeat(311)}`];
      for (const each of long) await store.put(each, Buffer.from(each));
      for (const each of long) expect(String(await store.get(each))).toBe(each);
      for (const each of long) await store.delete(each);
    });

    it.each([
      [''],
      ['/absolute'],
      ['../up'],
      ['a/../b'],
      ['a//b'],
      ['a/'],
      ['.'],
      ['a b'],
      ['a~'],
      ['ä'],
      ['a\\b'],
      ['a\0b'],
      ['x'.repeat(513)],
    ])('refuses the key %j', async (bad) => {
      await expect(store.put(bad, Buffer.from('x'))).rejects.toThrow('Not a blob key');
      await expect(store.get(bad)).rejects.toThrow('Not a blob key');
      await expect(store.renew(bad)).rejects.toThrow('Not a blob key');
      await expect(store.delete(bad)).rejects.toThrow('Not a blob key');
      await expect(store.deleteOlderThan(bad, new Date())).rejects.toThrow('Not a blob key');
    });

    describe('streams', () => blobStoreStreamTests(() => store));
  });
}
