import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blobStoreConformance } from '@sluice/ports/testing';
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

  it.each([['a folder it makes', 'made'], ['a folder that was there and open', '.']])('lets no other user read: %s', async (_, below) => {
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
});
