import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BlobStoreUnavailable } from '@sluice/ports';
import { blobStoreConformance } from '@sluice/ports/testing';
import { describeWithS3, startS3, type TestS3 } from '@sluice/testkit';
import { createS3BlobStore, type S3BlobStoreOptions } from './create-s3-blob-store';

const secret = 'the-secret-of-the-key';
const options = (endpoint: string, more: Partial<S3BlobStoreOptions> = {}): S3BlobStoreOptions => ({
  bucket: 'sluice',
  endpoint,
  region: null,
  credentials: { accessKeyId: 'key', secretAccessKey: secret },
  timeoutMs: 30_000,
  ...more,
});

describeWithS3('S3', () => {
  let s3: TestS3;
  beforeAll(async () => {
    s3 = await startS3();
    await s3.makeBucket('sluice');
  }, 90_000);
  afterAll(() => s3.stop());

  blobStoreConformance('the S3 blob store', async () => createS3BlobStore(options(s3.url)), { clockStepMs: 2_100 });

  it('deletes more old blobs than one page of the listing shows', async () => {
    const store = createS3BlobStore(options(s3.url, { pageSize: 2 }));
    for (const name of ['1', '2', '3', '4', '5']) await store.put(`many/${name}`, Buffer.from(name));
    expect(await store.deleteOlderThan('many', new Date(Date.now() + 60_000))).toBe(5);
    expect(await store.get('many/5')).toBeNull();
  });

  it('names the refusal, and shows nothing of the credentials', async () => {
    const store = createS3BlobStore(options(s3.url, { bucket: 'not-there' }));
    await expect(store.put('a', Buffer.from('1'))).rejects.toMatchObject({
      name: 'BlobStoreUnavailable',
      message: 'The bucket cannot be used: NoSuchBucket (status 404)',
    });
    // The bucket does not exist: that must not read as "no such blob".
    await expect(store.get('a')).rejects.toMatchObject({ name: 'BlobStoreUnavailable' });
  });
});

describe('a store that does not answer or refuses', () => {
  let server: Server;
  let answer: (end: (status: number, body: string) => void) => void;
  let url: string;
  beforeAll(async () => {
    server = createServer((_, response) => answer((status, body) => response.writeHead(status).end(body)));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  it('is unavailable after the timeout of one call', async () => {
    answer = () => undefined;
    const store = createS3BlobStore(options(url, { timeoutMs: 500 }));
    await expect(store.get('a')).rejects.toMatchObject({
      name: 'BlobStoreUnavailable',
      message: 'The bucket has not answered within 500 ms.',
    });
  });

  it('is unavailable while it refuses, and its message is not passed on', async () => {
    answer = (end) => end(403, `<Error><Code>AccessDenied</Code><Message>${secret}</Message></Error>`);
    const failure = await createS3BlobStore(options(url))
      .put('a', Buffer.from('1'))
      .catch((error: unknown) => error);
    expect(failure).toEqual(new BlobStoreUnavailable('The bucket cannot be used: AccessDenied (status 403)'));
  });

  it('is unavailable while nothing listens', async () => {
    const store = createS3BlobStore(options('http://127.0.0.1:1'));
    // The SDK tells errors of Node by their class, which is another one inside of jest: there the code is lost.
    await expect(store.delete('a')).rejects.toMatchObject({
      name: 'BlobStoreUnavailable',
      message: expect.stringMatching(/^The bucket cannot be used: (ECONNREFUSED|Error)$/),
    });
  });
});
