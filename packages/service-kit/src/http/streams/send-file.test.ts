import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { BlobStoreUnavailable } from '@sluice/ports';
import { until } from '@sluice/ports/testing';
import { digest, file } from './test-support/streaming-routes';
import { eachStreamingServer } from './test-support/streaming-server';

const server = eachStreamingServer();

describe('a download', () => {
  const get = async (headers: Record<string, string> = {}, method = 'GET', name = 'export.zip') => {
    const answer = await fetch(server().url(`/files/${encodeURIComponent(name)}`), { method, headers });
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  };

  it('has what a browser needs to store it, and nobody may keep it', async () => {
    const { status, headers, bytes } = await get({}, 'GET', 'Verträge "1".zip');
    expect([status, digest(bytes)]).toEqual([200, digest(file)]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/zip', 'content-length': '1500000', 'accept-ranges': 'bytes', etag: '"v1"',
      'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer',
      'content-disposition': `attachment; filename="Vertr?ge \\"1\\".zip"; filename*=UTF-8''Vertr%C3%A4ge%20%221%22.zip`,
    });
    expect(await server().lineOf()).toMatchObject({
      route: 'download_thing', status: 200, stream: 'complete', bytes_sent: 1_500_000,
    });
  });

  it.each([
    ['bytes=0-0', 0, 0], ['bytes=100-299999', 100, 299_999], ['bytes=1499990-', 1_499_990, 1_499_999],
    ['bytes=-10', 1_499_990, 1_499_999], ['bytes=1499990-9999999', 1_499_990, 1_499_999], ['bytes=-9999999', 0, 1_499_999],
  ])('gives the range %s', async (range, start, end) => {
    const { status, headers, bytes } = await get({ range });
    expect([status, headers.get('content-range'), digest(bytes)]).toEqual([
      206, `bytes ${start}-${end}/1500000`, digest(file.subarray(start, end + 1)),
    ]);
    expect(headers.get('content-length')).toBe(String(end - start + 1));
  });

  it.each([
    'bytes=1500000-', 'bytes=1500000-1500001', 'bytes=-0', 'bytes=0-1,5-6', 'bytes=0-1, 2-3',
  ])('refuses the range %s', async (range) => {
    const { status, headers, bytes } = await get({ range });
    expect([status, headers.get('content-range'), JSON.parse(String(bytes))]).toEqual([
      416, 'bytes */1500000', { detail: 'Range Not Satisfiable' },
    ]);
  });

  it.each(['lines=1-2', 'bytes=a-b', 'bytes=9-3', 'bytes=-', 'nonsense'])('ignores the range %s', async (range) => {
    expect(await get({ range })).toMatchObject({ status: 200, bytes: { length: file.length } });
  });

  it('goes on with the same content only', async () => {
    expect((await get({ range: 'bytes=5-9', 'if-range': '"v1"' })).status).toBe(206);
    expect(await get({ range: 'bytes=5-9', 'if-range': '"v0"' })).toMatchObject({ status: 200, bytes: { length: file.length } });
  });

  it('answers HEAD without opening the file', async () => {
    const { status, headers, bytes } = await get({}, 'HEAD');
    expect([status, headers.get('content-length'), bytes.length, server().opened.length]).toEqual([200, '1500000', 0, 0]);
  });

  it('that cannot be opened is an answer; one that breaks later is a cut connection', async () => {
    server().openFile = () => Promise.reject(new BlobStoreUnavailable('away'));
    expect((await get()).status).toBe(503);
    server().openFile = async () => Readable.from((async function* () {
      yield file.subarray(0, 1_000);
      throw new BlobStoreUnavailable('cut');
    })());
    await expect(get()).rejects.toThrow();
    expect(await server().lineOf('stream broke')).toMatchObject({ error: { name: 'BlobStoreUnavailable' } });
    server().lines = [];
    server().openFile = async () => Readable.from([file.subarray(0, 1_000)]);
    await expect(get()).rejects.toThrow();
    expect(await server().lineOf()).toMatchObject({ stream: 'failed', bytes_sent: 1_000, status: 499 });
  });

  it('is read no faster than its caller reads, and ends when the caller leaves', async () => {
    server().openFile = async () => Readable.from(endless());
    const { sent, answer } = server().raw('/files/a', 'GET', {});
    sent.end();
    const response = await answer;
    sent.on('error', () => undefined);
    response.on('error', () => undefined);
    await until('the file is waiting', async () => {
      const before = given;
      await sleep(100);
      return given > 0 && given === before;
    });
    response.destroy();
    await until('the file was closed', () => server().opened[0]?.destroyed === true);
    expect(await server().lineOf()).toMatchObject({ stream: 'caller_left', status: 499 });
  });

  it('that nobody reads any more is cut', async () => {
    await server().stop();
    await server().start({ idleMs: 200 });
    server().openFile = async () => Readable.from(endless());
    const { sent, answer } = server().raw('/files/a', 'GET', {});
    sent.on('error', () => undefined).end();
    (await answer).on('error', () => undefined);
    expect(await server().lineOf()).toMatchObject({ stream: 'caller_stalled' });
    expect(server().opened[0]?.destroyed).toBe(true);
  });

  let given = 0;
  async function* endless(): AsyncGenerator<Buffer> {
    given = 0;
    for (;;) {
      given += 65_536;
      yield Buffer.alloc(65_536);
    }
  }
});
