import { blobStoreConformance } from './blob-store-conformance';
import { createMemoryBlobStore } from './memory-blob-store';

blobStoreConformance('the in-memory blob store', async () => createMemoryBlobStore());

it('throws BlobStoreUnavailable while a test says that it is away', async () => {
  const store = createMemoryBlobStore({ unavailable: () => true });
  await expect(store.get('a')).rejects.toMatchObject({ name: 'BlobStoreUnavailable' });
});
