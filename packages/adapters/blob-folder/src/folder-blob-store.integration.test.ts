import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, constants, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blobStoreConformance, until } from '@sluice/ports/testing';
import { createFolderBlobStore } from './create-folder-blob-store';

const folders: string[] = [];
const makeFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-blobs-'));
  folders.push(folder);
  return folder;
};
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

blobStoreConformance('the folder blob store', async () => createFolderBlobStore(join(makeFolder(), 'made', 'by itself')));

describe('createFolderBlobStore', () => {
  it('finds its blobs again, and a key may be the folder of another', async () => {
    const folder = makeFolder();
    await createFolderBlobStore(folder).put('a', Buffer.from('1'));
    await createFolderBlobStore(folder).put('a/b', Buffer.from('2'));
    const store = createFolderBlobStore(folder);
    expect([String(await store.get('a')), String(await store.get('a/b'))]).toEqual(['1', '2']);
    expect(readdirSync(folder).sort()).toEqual(['a', 'a~']);
  });

  it.each([
    ['a folder it makes', 'made'],
    ['an existing folder that others may read', '.'],
  ])('lets no other user read: %s', async (_, below) => {
    const folder = join(makeFolder(), below);
    if (below === '.') chmodSync(folder, 0o755);
    await createFolderBlobStore(folder).put('a/b', Buffer.from('1'));
    const modes = [folder, join(folder, 'a'), join(folder, 'a', 'b~')].map((path) => (statSync(path).mode & 0o777).toString(8));
    expect(modes).toEqual(['700', '700', '600']);
  });

  it('throws BlobStoreUnavailable when the folder cannot be used, and leaves nothing half done', async () => {
    const file = join(makeFolder(), 'file');
    writeFileSync(file, '');
    const store = createFolderBlobStore(file);
    await expect(store.put('a', Buffer.from('1'))).rejects.toMatchObject({ name: 'BlobStoreUnavailable' });
  });

  it('does not wait for a read that hangs, makes no call while two hang, and works again once they have ended', async () => {
    const folder = makeFolder();
    // Reading a pipe hangs until somebody writes into it.
    const pipe = join(folder, 'stuck~');
    execFileSync('mkfifo', [pipe]);
    const store = createFolderBlobStore(folder, { timeoutMs: 1_000 });
    await store.put('fine', Buffer.from('1'));
    try {
      const late = { name: 'BlobStoreUnavailable', message: expect.stringContaining('within 1000 ms') };
      await expect(store.get('stuck')).rejects.toMatchObject(late);
      expect(String(await store.get('fine'))).toBe('1');
      await expect(store.get('stuck')).rejects.toMatchObject(late);
      const refused = { name: 'BlobStoreUnavailable', message: 'The blob folder does not answer.' };
      await expect(store.get('fine')).rejects.toMatchObject(refused);
      await expect(store.put('b', Buffer.from('2'))).rejects.toMatchObject(refused);
      await expect(store.delete('fine')).rejects.toMatchObject(refused);
      await expect(store.deleteOlderThan('f', new Date())).rejects.toMatchObject(refused);
    } finally {
      closeSync(openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK));
    }
    await until('the folder is asked again', () => store.get('fine').then((bytes) => String(bytes) === '1', () => false));
  });

  it('leaves nothing of a stream whose source fails, and deletes what a crash left with what is old', async () => {
    const folder = makeFolder();
    const store = createFolderBlobStore(folder);
    async function* failing(): AsyncGenerator<Buffer> {
      yield Buffer.from('1');
      expect(readdirSync(join(folder, 'a'))).toEqual([expect.stringMatching(/^~/)]);
      throw new Error('the sender left');
    }
    await expect(store.putStream('a/b', failing())).rejects.toThrow('the sender left');
    expect(readdirSync(join(folder, 'a'))).toEqual([]);
    writeFileSync(join(folder, 'a', '~0e8bd5c4'), 'half');
    await store.deleteOlderThan('a', new Date(Date.now() + 60_000));
    expect(readdirSync(join(folder, 'a'))).toEqual([]);
  });
});
