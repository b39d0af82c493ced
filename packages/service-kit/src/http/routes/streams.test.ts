import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { defineRoute } from '@sluice/contracts';
import { BlobStoreUnavailable, type Logger, silentLogger } from '@sluice/ports';
import { until } from '@sluice/ports/testing';
import { createMetrics } from '../../observe/create-metrics';
import { createHttpApp } from './create-http-app';
import { createHttpServer, type HttpServer } from '../server/http-server';
import { implementRoute } from './implement-route';
import type { StreamLimits } from '../streams/open-streams';
import type { ServerEvent } from '../streams/stream-reply';

const importRoute = defineRoute({
  name: 'import_things', method: 'post', path: '/imports', tag: 'T', summary: 'Import', auth: 'none', audit: null,
  body: { type: 'object', additionalProperties: false, required: ['rows'], properties: { rows: { type: 'array' } } },
  form: {
    fields: {
      type: 'object', additionalProperties: false, required: ['entity'],
      properties: { entity: { type: 'string', minLength: 2 }, limit: { type: 'integer' }, note: { type: 'string' } },
    },
    fieldBytes: 100,
    files: {
      file: { description: 'Rows.', maxBytes: 2_000_000, required: true },
      mapping: { description: 'Columns.', maxBytes: 100, required: false },
    },
  },
  answers: { 202: { description: 'ok', schema: { type: 'object' } } },
  errors: [],
});
const uploadRoute = defineRoute({
  name: 'upload_thing', method: 'put', path: '/uploads', tag: 'T', summary: 'Upload', auth: 'none', audit: null,
  upload: { description: 'Bytes.', maxBytes: 3_000_000, contentTypes: ['application/zip'] },
  answers: { 200: { description: 'ok', schema: { type: 'object' } } },
  errors: [],
});
const downloadRoute = defineRoute({
  name: 'download_thing', method: 'get', path: '/files/:name', tag: 'T', summary: 'Download', auth: 'none',
  params: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  answers: { 200: { description: 'A file.', stream: 'file', contentType: 'application/zip' } },
  errors: [],
});
const eventsRoute = defineRoute({
  name: 'watch_things', method: 'get', path: '/events', tag: 'T', summary: 'Watch', auth: 'none',
  answers: {
    200: { description: 'Events.', stream: 'events', events: { step: { description: 'A step.', schema: { type: 'integer' } } } },
  },
  errors: [],
});

const file = randomBytes(1_500_000);
const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
let server: HttpServer;
let lines: Record<string, unknown>[];
let events: (input: { signal: AbortSignal; lastEventId: string | null }) => AsyncIterable<ServerEvent>;
let openFile: (wanted: Buffer) => Promise<Readable>;
let opened: Readable[];
let sink: (bytes: Readable) => Promise<unknown>;
const logger: Logger = {
  ...silentLogger,
  child: () => logger,
  info: (message, fields) => void lines.push({ message, ...fields }),
  error: (message, fields) => void lines.push({ message, ...fields }),
};
const lineOf = async (message = 'request'): Promise<Record<string, unknown>> => {
  await until('the log line', () => lines.some((line) => line.message === message));
  return lines.find((line) => line.message === message)!;
};

const routes = [
  implementRoute(importRoute, {
    handler: async ({ body, form }) => {
      if (!form) return { status: 202, body: { rows: body?.rows.length } };
      const { fields, files } = await form.receive({
        file: async ({ filename, contentType, bytes }) => ({ filename, contentType, got: await sink(bytes) }),
        mapping: async ({ bytes }) => String(await buffer(bytes)),
      });
      return { status: 202, body: { fields, ...files.file, mapping: files.mapping ?? null } };
    },
  }),
  implementRoute(uploadRoute, {
    handler: async ({ upload }) => ({ status: 200, body: { type: upload.contentType, got: await sink(upload.bytes) } }),
  }),
  implementRoute(downloadRoute, {
    handler: ({ params }) => ({
      status: 200,
      file: {
        size: file.length,
        filename: params.name,
        etag: '"v1"',
        open: async (range) => {
          const bytes = await openFile(file.subarray(range?.start, range && range.end + 1));
          opened.push(bytes);
          return bytes;
        },
      },
    }),
  }),
  implementRoute(eventsRoute, {
    handler: ({ signal, lastEventId }) => ({ status: 200, events: events({ signal, lastEventId }) }),
  }),
];
const wantedBytes = async (wanted: Buffer): Promise<Readable> => Readable.from(chunksOf(wanted));

function* chunksOf(bytes: Buffer, size = 65_536): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function start(streams: Partial<StreamLimits> = {}, requestMs = 30_000): Promise<void> {
  const app = createHttpApp({ routes, logger, metrics: createMetrics({ service: 'test' }), validateAnswers: true });
  server = createHttpServer({
    port: 0, host: 'loopback', app, logger, metrics, streams, timeouts: { headersMs: 30_000, requestMs },
  });
  await server.start();
}
const metrics = createMetrics({ service: 'server' });

beforeEach(async () => {
  lines = [];
  opened = [];
  openFile = wantedBytes;
  sink = async (bytes) => digest(await buffer(bytes));
  await start();
});
afterEach(() => server.stop());

const url = (path: string): string => `http://127.0.0.1:${server.port()}${path}`;
const form = (parts: Record<string, string | Blob>): FormData => {
  const made = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (typeof value === 'string') made.append(name, value);
    else made.append(name, value, `${name}.csv`);
  }
  return made;
};
const post = async (body: RequestInit['body'], headers: Record<string, string> = {}) => {
  const answer = await fetch(url('/imports'), { method: 'POST', body: body ?? null, headers });
  return { status: answer.status, body: (await answer.json()) as any };
};
/** A request whose body is written by hand. */
function raw(
  path: string, method: string, headers: Record<string, string | number>,
): { sent: ClientRequest; answer: Promise<IncomingMessage> } {
  const sent = httpRequest({ port: server.port(), host: '127.0.0.1', path, method, headers });
  const answer = once(sent, 'response').then(([response]) => response as IncomingMessage);
  answer.catch(() => undefined);
  return { sent, answer };
}

describe('a form', () => {
  it('passes its file on as it arrives and checks its fields, which may come later', async () => {
    let first: () => void = () => undefined;
    const began = new Promise<void>((resolve) => { first = resolve; });
    sink = async (bytes) => {
      bytes.once('data', () => first());
      return digest(await buffer(bytes));
    };
    const { sent, answer } = raw('/imports', 'POST', { 'content-type': 'multipart/form-data; boundary=x' });
    sent.write('--x\r\nContent-Disposition: form-data; name="file"; filename="dir/kunden–1.csv"\r\n');
    sent.write('Content-Type: text/csv\r\n\r\n');
    sent.write('a'.repeat(100_000));
    await began;
    sent.end('b\r\n--x\r\nContent-Disposition: form-data; name="entity"\r\n\r\ncontact\r\n'
      + '--x\r\nContent-Disposition: form-data; name="limit"\r\n\r\n7\r\n--x--\r\n');
    const response = await answer;
    expect([response.statusCode, JSON.parse(String(await buffer(response)))]).toEqual([202, {
      fields: { entity: 'contact', limit: 7 }, filename: 'kunden–1.csv', contentType: 'text/csv',
      got: digest(Buffer.from(`${'a'.repeat(100_000)}b`)), mapping: null,
    }]);
  });

  it('may be JSON where the contract has both, and nothing else', async () => {
    expect(await post('{"rows":[1,2]}', { 'content-type': 'application/json' })).toEqual({ status: 202, body: { rows: 2 } });
    expect((await post('{"rows":1}', { 'content-type': 'application/json' })).status).toBe(422);
    expect(await post('a=1', { 'content-type': 'application/x-www-form-urlencoded' })).toEqual({
      status: 415, body: { detail: 'Unsupported content type' },
    });
  });

  it('names every problem at once', async () => {
    const { status, body } = await post(form({ entity: 'x', limit: 'many', more: '1', other: new Blob(['1']) }));
    expect([status, body.detail.map(({ type, loc }: { type: string; loc: string[] }) => [type, ...loc])]).toEqual([422, [
      ['extra_forbidden', 'body', 'more'], ['string_too_short', 'body', 'entity'], ['int_parsing', 'body', 'limit'],
      ['missing', 'body', 'file'], ['extra_forbidden', 'body', 'other'],
    ]]);
  });

  it('refuses a field or a file that comes twice, and a file that comes as text', async () => {
    const twice = form({ entity: 'contact', file: new Blob(['1']) });
    twice.append('entity', 'deal');
    twice.append('file', new Blob(['2']), 'b.csv');
    const { status, body } = await post(twice);
    expect([status, body.detail.map(({ msg }: { msg: string }) => msg)]).toEqual([
      422, ['The field is given twice', 'The file is given twice'],
    ]);
    const asText = await post(form({ entity: 'contact', file: 'a,b' }));
    expect([asText.status, asText.body.detail.map(({ type, loc }: any) => [type, ...loc])]).toEqual([
      422, [['extra_forbidden', 'body', 'file'], ['missing', 'body', 'file']],
    ]);
  });

  it.each([
    ['a file over its bound', { entity: 'contact', file: new Blob(['1']), mapping: new Blob(['m'.repeat(101)]) }, 100, 'mapping'],
    ['the largest file over its bound', { entity: 'contact', file: new Blob([Buffer.alloc(2_000_001)]) }, 2_000_000, 'file'],
    ['a field over its bound', { entity: 'contact', note: 'n'.repeat(101), file: new Blob(['1']) }, 100, 'note'],
  ])('refuses %s', async (_, parts, limit_bytes, field) => {
    expect(await post(form(parts))).toEqual({
      status: 413, body: { detail: { error: 'payload_too_large', limit_bytes, field } },
    });
  });

  it('takes files and fields of exactly their bounds', async () => {
    const files = { file: new Blob([Buffer.alloc(2_000_000)]), mapping: new Blob(['m'.repeat(100)]) };
    expect((await post(form({ entity: 'contact', note: 'n'.repeat(100), ...files }))).status).toBe(202);
  });

  it('refuses a body that says it is over all bounds before it reads it', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 9e9 };
    const { sent, answer } = raw('/imports', 'POST', headers);
    sent.flushHeaders();
    expect((await answer).statusCode).toBe(413);
    sent.destroy();
  });

  it.each([
    ['no boundary', 'multipart/form-data', '--x--\r\n'],
    ['no end', 'multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc'],
    ['headers of a part that are none', 'multipart/form-data; boundary=x', '--x\r\nnonsense\r\n\r\nabc\r\n--x--\r\n'],
    ['no form at all', 'multipart/form-data; boundary=x', '{"rows":[]}'],
  ])('refuses a body with %s', async (_, contentType, text) => {
    expect(await post(text, { 'content-type': contentType })).toEqual({ status: 400, body: { detail: 'Malformed form' } });
  });

  it('answers what its sink throws, and the connection stays usable', async () => {
    sink = () => Promise.reject(new BlobStoreUnavailable('away'));
    const { status, body } = await post(form({ entity: 'contact', file: new Blob([Buffer.alloc(1_000_000)]) }));
    expect([status, body.detail.error]).toEqual([503, 'service_unavailable']);
    sink = async (bytes) => digest(await buffer(bytes));
    expect((await post(form({ entity: 'contact', file: new Blob(['1']) }))).status).toBe(202);
  });

  it('answers what its sink throws after it has read the whole file', async () => {
    sink = async (bytes) => {
      await buffer(bytes);
      await sleep(50);
      throw new BlobStoreUnavailable('away');
    };
    expect((await post(form({ entity: 'contact', file: new Blob(['1']) }))).status).toBe(503);
  });

  it('ends its sink when the caller leaves in the middle', async () => {
    let broke: unknown;
    sink = async (bytes) => buffer(bytes).catch((error: unknown) => { broke = error; throw error; });
    const { sent } = raw('/imports', 'POST', { 'content-type': 'multipart/form-data; boundary=x' });
    sent.on('error', () => undefined);
    sent.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc');
    await sleep(50);
    sent.destroy();
    await until('the sink has ended', () => broke !== undefined);
    expect(broke).toMatchObject({ status: 400 });
    await until('the log line', () => lines.some(({ route, status }) => route === 'import_things' && status === 499));
  });

  it('is unpacked, and refused when it unpacks to far more than was sent', async () => {
    const packed = (size: number): { body: Buffer; headers: Record<string, string> } => {
      const text = `--x\r\nContent-Disposition: form-data; name="entity"\r\n\r\ncontact\r\n`
        + `--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${'0'.repeat(size)}\r\n--x--\r\n`;
      return {
        body: gzipSync(text), headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-encoding': 'gzip' },
      };
    };
    const small = packed(500_000);
    expect((await post(small.body, small.headers)).status).toBe(202);
    const bomb = packed(1_900_000);
    expect(await post(bomb.body, bomb.headers)).toMatchObject({
      status: 413, body: { detail: { error: 'payload_too_large', compression_ratio_limit: 100 } },
    });
    expect((await post('no gzip', small.headers)).status).toBe(400);
    expect((await post('x', { ...small.headers, 'content-encoding': 'zstd' })).status).toBe(415);
  });
});

describe('an upload', () => {
  const put = async (body: Buffer, type = 'application/zip', headers = {}) => {
    const answer = await fetch(url('/uploads'), { method: 'PUT', body, headers: { 'content-type': type, ...headers } });
    return [answer.status, await answer.json()];
  };

  it('is passed on, with its type and its bound', async () => {
    expect(await put(file, 'Application/ZIP; a=b')).toEqual([200, { type: 'application/zip', got: digest(file) }]);
    expect(await put(Buffer.alloc(3_000_000))).toMatchObject([200, {}]);
    expect(await put(Buffer.alloc(3_000_001))).toEqual([413, { detail: { error: 'payload_too_large', limit_bytes: 3_000_000 } }]);
    expect(await put(file, 'text/csv')).toEqual([415, { detail: 'Unsupported content type' }]);
  });

  it('over its bound without a length is refused while it arrives', async () => {
    const { sent, answer } = raw('/uploads', 'PUT', { 'content-type': 'application/zip' });
    sent.on('error', () => undefined);
    for (let at = 0; at < 4; at += 1) sent.write(Buffer.alloc(1_000_000));
    expect((await answer).statusCode).toBe(413);
    sent.destroy();
  });

  it('may take longer than a request may, but not without progress', async () => {
    await server.stop();
    await start({ idleMs: 400 }, 300);
    const { sent, answer } = raw('/uploads', 'PUT', { 'content-type': 'application/zip' });
    for (let at = 0; at < 8; at += 1) {
      sent.write(Buffer.alloc(70_000));
      await sleep(100);
    }
    sent.end();
    expect((await answer).statusCode).toBe(200);
    const slow = raw('/uploads', 'PUT', { 'content-type': 'application/zip' });
    slow.sent.on('error', () => undefined);
    const trickle = setInterval(() => slow.sent.write('x'), 50);
    const late = await slow.answer;
    clearInterval(trickle);
    expect([late.statusCode, late.headers.connection]).toEqual([408, 'close']);
  });

  it('is read no faster than its sink reads', async () => {
    let taken = 0;
    let goOn: () => void = () => undefined;
    const mayGoOn = new Promise<void>((resolve) => { goOn = resolve; });
    sink = async (bytes) => {
      for await (const chunk of bytes) {
        taken += (chunk as Buffer).length;
        await mayGoOn;
      }
      return taken;
    };
    const { sent, answer } = raw('/uploads', 'PUT', { 'content-type': 'application/zip', 'content-length': 3_000_000 });
    let written = 0;
    const source = Readable.from(chunksOf(Buffer.alloc(3_000_000), 50_000));
    source.on('data', (chunk: Buffer) => (written += chunk.length)).pipe(sent);
    await until('the sender has to wait', async () => {
      const before = written;
      await sleep(100);
      return written > 0 && written === before;
    });
    expect(taken).toBeLessThan(200_000);
    goOn();
    expect(JSON.parse(String(await buffer(await answer)))).toMatchObject({ got: 3_000_000 });
  });
});

describe('a download', () => {
  const get = async (headers: Record<string, string> = {}, method = 'GET', name = 'export.zip') => {
    const answer = await fetch(url(`/files/${encodeURIComponent(name)}`), { method, headers });
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
    expect(await lineOf()).toMatchObject({ route: 'download_thing', status: 200, stream: 'complete', bytes_sent: 1_500_000 });
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
    expect([status, headers.get('content-length'), bytes.length, opened.length]).toEqual([200, '1500000', 0, 0]);
  });

  it('that cannot be opened is an answer; one that breaks later is a cut connection', async () => {
    openFile = () => Promise.reject(new BlobStoreUnavailable('away'));
    expect((await get()).status).toBe(503);
    openFile = async () => Readable.from((async function* () {
      yield file.subarray(0, 1_000);
      throw new BlobStoreUnavailable('cut');
    })());
    await expect(get()).rejects.toThrow();
    expect(await lineOf('stream broke')).toMatchObject({ error: { name: 'BlobStoreUnavailable' } });
    lines = [];
    openFile = async () => Readable.from([file.subarray(0, 1_000)]);
    await expect(get()).rejects.toThrow();
    expect(await lineOf()).toMatchObject({ stream: 'failed', bytes_sent: 1_000, status: 499 });
  });

  it('is read no faster than its caller reads, and ends when the caller leaves', async () => {
    openFile = async () => Readable.from(endless());
    const { sent, answer } = raw('/files/a', 'GET', {});
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
    await until('the file was closed', () => opened[0]?.destroyed === true);
    expect(await lineOf()).toMatchObject({ stream: 'caller_left', status: 499 });
  });

  it('that nobody reads any more is cut', async () => {
    await server.stop();
    await start({ idleMs: 200 });
    openFile = async () => Readable.from(endless());
    const { sent, answer } = raw('/files/a', 'GET', {});
    sent.on('error', () => undefined).end();
    (await answer).on('error', () => undefined);
    expect(await lineOf()).toMatchObject({ stream: 'caller_stalled' });
    expect(opened[0]?.destroyed).toBe(true);
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

describe('a stream of events', () => {
  /** Reads until the text has what is looked for. */
  async function readUntil(response: Response, wanted: string) {
    const reader = response.body!.getReader();
    const decoder = new TextDecoder();
    let text = '';
    while (!text.includes(wanted)) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`the stream ended: ${text}`);
      text += decoder.decode(value, { stream: true });
    }
    const rest = async (): Promise<string> => {
      for (let more = await reader.read(); !more.done; more = await reader.read())
        text += decoder.decode(more.value, { stream: true });
      return text;
    };
    return { text, cancel: () => reader.cancel(), rest };
  }

  it('sends each event as it comes, and ends with its source', async () => {
    let next: () => void = () => undefined;
    events = async function* () {
      yield { id: '1', event: 'step', data: 1 };
      await new Promise<void>((resolve) => { next = resolve; });
      yield { event: 'step', data: 2 };
    };
    const response = await fetch(url('/events'));
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200, 'text/event-stream; charset=utf-8', 'no-store',
    ]);
    const { text, rest } = await readUntil(response, '\n\n');
    expect(text).toBe('id: 1\nevent: step\ndata: 1\n\n');
    next();
    expect(await rest()).toBe('id: 1\nevent: step\ndata: 1\n\nevent: step\ndata: 2\n\n');
    expect(await lineOf()).toMatchObject({ route: 'watch_things', stream: 'complete', events_sent: 2 });
  });

  it('tells its source what the caller saw last', async () => {
    let seen: string | null | undefined;
    events = async function* ({ lastEventId }) { seen = lastEventId; };
    await (await fetch(url('/events'), { headers: { 'Last-Event-ID': '41' } })).text();
    expect(seen).toBe('41');
    await (await fetch(url('/events'))).text();
    expect(seen).toBeNull();
  });

  it('carries a comment while nothing happens', async () => {
    await server.stop();
    await start({ heartbeatMs: 50 });
    events = ({ signal }) => silentUntil(signal);
    const { text, cancel } = await readUntil(await fetch(url('/events')), ':\n\n:\n\n');
    expect(text.replaceAll(':\n\n', '')).toBe('');
    await cancel();
  });

  it('ends its source when the caller leaves', async () => {
    let ended = false;
    events = async function* ({ signal }) {
      yield { event: 'step', data: 1 };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      ended = true;
    };
    const { cancel } = await readUntil(await fetch(url('/events')), '\n\n');
    await cancel();
    await until('the source has ended', () => ended);
    expect(await lineOf()).toMatchObject({ stream: 'caller_left', events_sent: 1 });
  });

  it('is cut when its source fails, or sends what the contract does not name', async () => {
    events = async function* () {
      yield { event: 'step', data: 1 };
      throw new Error('broken');
    };
    await expect((await fetch(url('/events'))).text()).rejects.toThrow();
    lines = [];
    events = async function* () { yield { event: 'other', data: 1 }; };
    await expect(fetch(url('/events')).then((answer) => answer.text())).rejects.toThrow();
    expect(await lineOf('stream broke')).toMatchObject({ error: { message: expect.stringContaining('"other"') } });
  });
});

async function* silentUntil(signal: AbortSignal): AsyncGenerator<ServerEvent> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
}

describe('a server that stops', () => {
  it('ends streams of events at once, and the rest after the drain time', async () => {
    await server.stop();
    await start({ drainMs: 300 });
    events = ({ signal }) => silentUntil(signal);
    const watching = fetch(url('/events')).then((answer) => answer.text());
    openFile = async () => Readable.from((async function* () {
      yield file.subarray(0, 1_000);
      await new Promise(() => undefined);
    })());
    const downloading = fetch(url('/files/a')).then((answer) => answer.arrayBuffer());
    downloading.catch(() => undefined);
    const { sent } = raw('/uploads', 'PUT', { 'content-type': 'application/zip' });
    sent.on('error', () => undefined).write('x');
    const three = 'http_open_streams{service="server"} 3';
    await until('all three are under way', async () => (await metrics.render()).includes(three));
    const stopping = server.stop();
    expect(await watching).toBe('');
    await expect(downloading).rejects.toThrow();
    await stopping;
    expect(lines.filter(({ message }) => message === 'request').map(({ route, stream }) => [route, stream])).toEqual(
      expect.arrayContaining([['watch_things', 'server_stopping'], ['download_thing', 'caller_left']]),
    );
  });

  it('lets a download under way end within the drain time', async () => {
    let finish: () => void = () => undefined;
    const mayFinish = new Promise<void>((resolve) => { finish = resolve; });
    openFile = async () => Readable.from((async function* () {
      yield file.subarray(0, 1_000);
      await mayFinish;
      yield file.subarray(1_000);
    })());
    const answer = await fetch(url('/files/a'));
    const stopping = server.stop();
    await sleep(50);
    finish();
    expect(digest(Buffer.from(await answer.arrayBuffer()))).toBe(digest(file));
    await stopping;
  });
});

it('one caller has a quarter of the streams at most, and there is a bound on all', async () => {
  await server.stop();
  await start({ max: 8 });
  events = ({ signal }) => silentUntil(signal);
  const first = await Promise.all([fetch(url('/events')), fetch(url('/events'))]);
  const refused = await fetch(url('/events'));
  expect([refused.status, await refused.json(), refused.headers.get('retry-after')]).toEqual([
    503, { detail: { error: 'too_many_streams' } }, '5',
  ]);
  await first[0]!.body!.cancel();
  await until('there is room again', async () => {
    const answer = await fetch(url('/events'));
    await answer.body!.cancel();
    return answer.status === 200;
  });
  await first[1]!.body!.cancel();
});
