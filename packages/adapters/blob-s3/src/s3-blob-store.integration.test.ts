import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { BlobStoreUnavailable } from '@sluice/ports';
import { blobStoreConformance, until } from '@sluice/ports/testing';
import { describeWithAws, startAws, type TestAws } from '@sluice/testkit';
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

describeWithAws('S3', () => {
  let s3: TestAws;
  beforeAll(async () => {
    s3 = await startAws();
    await s3.makeBucket('sluice');
  }, 240_000);
  afterAll(() => s3.stop());

  blobStoreConformance('the S3 blob store', async () => createS3BlobStore(options(s3.url)), { clockStepMs: 2_100 });

  describe('a streamed upload', () => {
    const uploads = async (prefix: string) => {
      const client = new S3Client({
        endpoint: s3.url, region: 'us-east-1', forcePathStyle: true, credentials: { accessKeyId: 'key', secretAccessKey: secret },
      });
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: 'sluice', Prefix: prefix }));
      client.destroy();
      return Uploads.length;
    };
    const partBytes = 5 * 1024 * 1024;
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) yield Buffer.alloc(1024 * 1024);
    }

    it('leaves no parts behind when its source fails', async () => {
      const store = createS3BlobStore(options(s3.url, { partBytes }));
      async function* failing(): AsyncGenerator<Buffer> {
        yield Buffer.alloc(2 * partBytes);
        expect(await uploads('failing/')).toBe(1);
        throw new Error('the sender left');
      }
      await expect(store.putStream('failing/a', failing())).rejects.toThrow('the sender left');
      expect(await uploads('failing/')).toBe(0);
    });

    it('that was interrupted by a crash is given up with what is old, a younger one is not', async () => {
      const store = createS3BlobStore(options(s3.url, { partBytes, pageSize: 1 }));
      const sources = ['crashed/a', 'crashed/b', 'beside/c'].map((key) => {
        const source = endless();
        // Never settled, like the put of a process that was killed.
        void store.putStream(key, pausedAfter(source, 2 * partBytes)).catch(() => undefined);
        return source;
      });
      await until('the uploads have begun', async () => (await uploads('')) === sources.length);
      // The stand-in dates every upload to 2010.
      await store.deleteOlderThan('crashed', new Date('2010-01-01'));
      expect(await uploads('crashed/')).toBe(2);
      expect(await store.deleteOlderThan('crashed', new Date(Date.now() + 60_000))).toBe(0);
      expect([await uploads('crashed/'), await uploads('beside/')]).toEqual([0, 1]);
    });
  });

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

/** The first bytes of a source, after which it never goes on. */
async function* pausedAfter(source: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let given = 0;
  for await (const chunk of source) {
    yield chunk;
    given += chunk.length;
    if (given >= bytes) await new Promise(() => undefined);
  }
}

describe('a store that cuts its answers', () => {
  const bytes = Buffer.from(Array.from({ length: 1_000 }, (_, at) => at % 251));
  let asked: (string | undefined)[];
  let server: Server;
  let cut: (attempt: number) => number;
  beforeEach(async () => {
    asked = [];
    server = createServer((request, response) => {
      const [, from = '0'] = /^bytes=(\d+)-/.exec(request.headers.range ?? '') ?? [];
      asked.push(request.headers.range);
      const rest = bytes.subarray(Number(from));
      const range = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
      response.writeHead(request.headers.range ? 206 : 200, {
        'content-length': rest.length, etag: '"1"', ...(request.headers.range && { 'content-range': range }),
      });
      const sent = cut(asked.length);
      if (sent >= rest.length) return void response.end(rest);
      response.write(rest.subarray(0, sent), () => setImmediate(() => response.destroy()));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });
  const store = () => createS3BlobStore(options(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));

  it('is read on from the byte that is missing', async () => {
    cut = (attempt) => (attempt < 4 ? 200 : 1_000);
    expect(await buffer((await store().getStream('a'))!)).toEqual(bytes);
    expect(asked).toEqual([undefined, 'bytes=200-999', 'bytes=400-999', 'bytes=600-999']);
  });

  it('breaks the stream when nothing more comes', async () => {
    cut = (attempt) => (attempt === 1 ? 200 : 0);
    await expect(buffer((await store().getStream('a'))!)).rejects.toMatchObject({ name: 'BlobStoreUnavailable' });
    expect(asked.length).toBeGreaterThanOrEqual(3);
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
