import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { BlobStore, ByteRange } from '../../blob-store';
import { until } from '../shared/until';

/** Chunks of uneven sizes, so that no part of a store ends with one. */
async function* chunksOf(bytes: Buffer, chunkBytes = 70_001): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

const digest = (bytes: Buffer | null): string => createHash('sha256').update(bytes ?? '').digest('hex');

/** What every blob store must do with streams. A part of `blobStoreConformance`. */
export function blobStoreStreamTests(storeOf: () => BlobStore): void {
  let store: BlobStore;
  let key: string;
  beforeEach(() => {
    store = storeOf();
    key = `stream/${randomUUID()}.bin`;
  });
  const read = async (range?: ByteRange): Promise<Buffer | null> => {
    const stream = await store.getStream(key, range);
    return stream && buffer(stream);
  };

  it.each([['nothing', 0], ['one byte', 1], ['one part', 300_000], ['many parts', 12_345_678]])(
    'keeps a stream of %s as it is', async (_, size) => {
      const bytes = randomBytes(size);
      expect(await store.putStream(key, chunksOf(bytes))).toBe(size);
      expect(await store.size(key)).toBe(size);
      expect(digest(await read())).toBe(digest(bytes));
      expect(digest(await store.get(key))).toBe(digest(bytes));
    });

  it('takes a Readable, and replaces what was there', async () => {
    await store.putStream(key, Readable.from([Buffer.from('first '), Buffer.from('bytes')]));
    await store.putStream(key, Readable.from([Buffer.from('second')]));
    expect(String(await store.get(key))).toBe('second');
  });

  it.each([['its first byte', 0], ['one part', 400_000], ['many parts', 12_000_000]])(
    'stores nothing of a source that fails after %s, and passes its error on', async (_, size) => {
      const failure = new Error('the sender left');
      async function* failing(): AsyncGenerator<Buffer> {
        yield* chunksOf(Buffer.alloc(size, 1));
        throw failure;
      }
      await expect(store.putStream(key, failing())).rejects.toBe(failure);
      expect([await store.get(key), await store.size(key)]).toEqual([null, null]);
      await store.put(key, Buffer.from('before'));
      await expect(store.putStream(key, failing())).rejects.toBe(failure);
      expect(String(await store.get(key))).toBe('before');
    });

  it('shows readers what was there before until a stream is whole', async () => {
    await store.put(key, Buffer.from('before'));
    let finish: () => void = () => undefined;
    const mayFinish = new Promise<void>((resolve) => { finish = resolve; });
    let begun = false;
    async function* slow(): AsyncGenerator<Buffer> {
      yield Buffer.alloc(200_000, 2);
      begun = true;
      await mayFinish;
      yield Buffer.from('end');
    }
    const putting = store.putStream(key, slow());
    await until('the first bytes were taken', () => begun);
    expect(String(await read())).toBe('before');
    finish();
    expect(await putting).toBe(200_003);
    expect(await store.size(key)).toBe(200_003);
  });

  it('gives the range that is asked for, and refuses one that does not lie within', async () => {
    const bytes = randomBytes(500_000);
    await store.put(key, bytes);
    for (const [start, end] of [[0, 0], [0, 499_999], [65_535, 131_072], [499_999, 499_999]] as const)
      expect(digest(await read({ start, end }))).toBe(digest(bytes.subarray(start, end + 1)));
    for (const [start, end] of [[0, 500_000], [500_000, 500_000], [600_000, 700_000], [2, 1], [-1, 5]] as const)
      await expect(store.getStream(key, { start, end })).rejects.toThrow(RangeError);
  });

  it('answers null for what is not there', async () => {
    expect([await store.getStream(key), await store.getStream(key, { start: 0, end: 0 }), await store.size(key)]).toEqual([
      null, null, null,
    ]);
  });

  it('may be read slowly, in part or not at all', async () => {
    await store.put(key, randomBytes(2_000_000));
    (await store.getStream(key))?.destroy();
    const stream = await store.getStream(key);
    for await (const chunk of stream!) {
      expect((chunk as Buffer).length).toBeGreaterThan(0);
      break;
    }
    expect(stream!.destroyed).toBe(true);
    expect(await read()).toHaveLength(2_000_000);
  });

  it('reads the blob of one put, whatever happens to the key meanwhile', async () => {
    const first = Buffer.alloc(6_000_000, 1);
    await store.put(key, first);
    const stream = (await store.getStream(key))!;
    await store.put(key, Buffer.alloc(6_000_000, 2));
    const seen = await buffer(stream).catch((error: unknown) => error);
    if (seen instanceof Error) expect(seen).toMatchObject({ name: 'BlobStoreUnavailable' });
    else expect(digest(seen as Buffer)).toBe(digest(first));
  });

  it('does not read a source ahead of what it stores', async () => {
    let pulled = 0;
    const source = (async function* counted(): AsyncGenerator<Buffer> {
      for (let at = 0; at < 8; at += 1) {
        pulled += 1;
        yield Buffer.alloc(1_000_000, at);
        if (at === 3) throw new Error('stop');
      }
    })();
    await expect(store.putStream(key, source)).rejects.toThrow('stop');
    expect(pulled).toBe(4);
  });

  it.each([['../up'], ['a b'], ['']])('refuses the key %j', async (bad) => {
    await expect(store.putStream(bad, chunksOf(Buffer.from('x')))).rejects.toThrow('Not a blob key');
    await expect(store.getStream(bad)).rejects.toThrow('Not a blob key');
    await expect(store.size(bad)).rejects.toThrow('Not a blob key');
  });
}
