import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type S3Place, WatchedFileChanged, WatchedFilesUnreadable } from '@sluice/ports';
import { watchedFilesConformance } from '@sluice/ports/testing';
import { describeWithAws, startAws, type TestAws } from '@sluice/testkit';
import { createS3Files, type S3FilesOptions } from './index';

const secret = 'the-secret-of-the-key';
const place = (endpoint: string, more: Partial<S3Place> = {}): S3Place => ({
  kind: 's3', bucket: 'exports', prefix: '', region: 'us-east-1', endpoint,
  credentials: { accessKeyId: 'key', secretAccessKey: secret }, ...more,
});
const going = new AbortController().signal;
/** Names that a look finds, or the words of its failure. */
async function look(where: S3Place, options: Partial<S3FilesOptions> = {}, read?: string): Promise<unknown> {
  const open = createS3Files({ allowPrivateTargets: true, ...options }).open(where);
  const failed = (error: unknown): unknown => (error instanceof WatchedFilesUnreadable ? error.message : error);
  const files = await open.catch(failed);
  if (typeof files === 'string') return files;
  const opened = files as Awaited<typeof open>;
  try {
    const names = await opened.names(100, going);
    if (read === undefined) return names;
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await opened.file(read))!.read(going)) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  } catch (error) {
    return failed(error);
  } finally {
    await opened.close();
  }
}

describeWithAws('S3', () => {
  let aws: TestAws;
  let buckets = 0;
  beforeAll(async () => {
    aws = await startAws();
    await aws.makeBucket('exports');
  }, 240_000);
  afterAll(() => aws?.stop());

  watchedFilesConformance('a prefix of a bucket', async () => {
    const bucket = `bucket-${(buckets += 1)}`;
    await aws.makeBucket(bucket);
    // Pages of two: every listing has several.
    const files = createS3Files({ allowPrivateTargets: true, pageSize: 2, timeoutMs: 60_000 });
    return {
      put: (name, content) => aws.putObject(bucket, name, content),
      remove: (name) => aws.deleteObject(bucket, name),
      open: () => files.open(place(aws.url, { bucket })),
      end: () => Promise.resolve(),
    };
  });

  it('has the keys that begin with the prefix, those below it too, and none that stands for a folder', async () => {
    for (const key of ['orders/a.csv', 'orders/2026/b.csv', 'orders/.tmp', 'orders/new/', 'orders-old.csv', 'other.csv'])
      await aws.putObject('exports', key, 'id\n1\n');
    expect(await look(place(aws.url, { prefix: 'orders/' }))).toEqual(['orders/2026/b.csv', 'orders/a.csv']);
    expect(await look(place(aws.url, { prefix: 'orders' }))).toEqual(['orders-old.csv', 'orders/2026/b.csv', 'orders/a.csv']);
  }, 60_000);

  it('names what the service refuses, and shows nothing of the key', async () => {
    expect(await look(place(aws.url, { bucket: 'none-such' })))
      .toBe("the bucket 'none-such' cannot be read: NoSuchBucket (status 404)");
  }, 60_000);
});

describe('a service that a user names', () => {
  let server: Server;
  let answer: RequestListener;
  let endpoint: string;
  beforeAll(async () => {
    server = createServer((request, response) => answer(request, response));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  const listing = (bytes: number) =>
    `<ListBucketResult><Contents><Key>a.csv</Key><Size>${bytes}</Size><ETag>"1"</ETag></Contents></ListBucketResult>`;

  it('is not called at a private address, neither as an address nor by a name that leads to one', async () => {
    let calls = 0;
    answer = (_, response) => {
      calls += 1;
      response.end(listing(1));
    };
    const refused = { allowPrivateTargets: false };
    expect(await look(place(endpoint), refused))
      .toBe("the endpoint '127.0.0.1' is, or leads to, an address that may not be called");
    const named: Partial<S3FilesOptions> = {
      ...refused, resolve: (_, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    };
    expect(await look(place(endpoint.replace('127.0.0.1', 's3.example.com')), named))
      .toBe("the endpoint 's3.example.com' is, or leads to, an address that may not be called");
    expect(calls).toBe(0);
  });

  it('does not lead elsewhere by a redirect', async () => {
    const paths: string[] = [];
    answer = ({ url }, response) => {
      paths.push(url!.split('?')[0]!);
      response.writeHead(307, { location: `${endpoint}/elsewhere` }).end();
    };
    expect(await look(place(endpoint))).toMatch(/^the bucket 'exports' cannot be read/);
    expect(paths).not.toContain('/elsewhere');
    expect(paths.length).toBeGreaterThan(0);
  });

  it('cannot fill the memory by a listing without end, nor hold the look by an answer that does not come', async () => {
    let sent = 0;
    answer = (_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(1_048_576, ' '))) sent += 1;
        sent += 1;
        response.once('drain', more);
      };
      more();
    };
    expect(await look(place(endpoint))).toBe('an answer of the service is too long');
    expect(sent).toBeLessThan(100);
    answer = () => undefined;
    expect(await look(place(endpoint), { timeoutMs: 200 })).toBe("the bucket 'exports' has not answered within 0.2 s");
  }, 60_000);

  it('gives no more bytes of an object than it listed, and not fewer', async () => {
    const serve = (listed: number, given: string): void => {
      answer = ({ url }, response) => void response.end(url!.includes('list-type') ? listing(listed) : given);
    };
    serve(3, '1234');
    expect(await look(place(endpoint), {}, 'a.csv')).toBe("the object 'a.csv' is longer than its listing says");
    serve(3, '12');
    expect(await look(place(endpoint), {}, 'a.csv')).toBe("the answer with the object 'a.csv' was cut");
    serve(3, '123');
    expect(await look(place(endpoint), {}, 'a.csv')).toBe('123');
    // It does not know the condition of the request.
    answer = ({ url }, response) => void response.setHeader('etag', '"2"').end(url!.includes('list-type') ? listing(3) : '123');
    expect(await look(place(endpoint), {}, 'a.csv')).toBeInstanceOf(WatchedFileChanged);
  });

  it('cannot put words of its own into an error', async () => {
    const code = `it is ${secret} &lt;b&gt;`;
    answer = (_, response) => void response.writeHead(400).end(`<Error><Code>${code}</Code><Message>m</Message></Error>`);
    expect(await look(place(endpoint))).toBe("the bucket 'exports' cannot be read: unknown error (status 400)");
  });
});
