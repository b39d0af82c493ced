import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { errorAnswer } from '../routes/error-answer';
import { readBody } from './read-body';

const limit = 2 * 1024 * 1024;
let server: Server;
let waitMs: number;
beforeAll(async () => {
  server = createServer((incoming, response) => {
    readBody(incoming, limit, waitMs).then(
      (bytes) => response.end(JSON.stringify({ bytes: bytes.length })),
      (error: unknown) => {
        const { status, body, headers } = errorAnswer(error, 'r');
        response.writeHead(status, headers).end(JSON.stringify(body));
      },
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => { waitMs = 60_000; });
afterAll(() => void server.close());

/** Sends a body in pieces; `hold`: never ends it. */
function send(
  pieces: readonly Buffer[],
  headers: Record<string, string> = {},
  hold = false,
): Promise<{ status: number; body: unknown; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { port: (server.address() as AddressInfo).port, host: '127.0.0.1', method: 'POST', headers },
      (response) => {
        let text = '';
        response
          .on('data', (chunk) => (text += chunk))
          .on('end', () => {
            sent.destroy();
            resolve({ status: response.statusCode!, body: JSON.parse(text), connection: response.headers.connection });
          });
      },
    );
    sent.on('error', reject);
    for (const piece of pieces) sent.write(piece);
    if (!hold) sent.end();
  });
}
const tooLarge = { error: 'payload_too_large', limit_bytes: limit };

test('reads up to its limit exactly, announced or not', async () => {
  expect(await send([Buffer.alloc(limit)])).toMatchObject({ status: 200, body: { bytes: limit } });
  expect(await send([Buffer.alloc(limit), Buffer.alloc(1)])).toMatchObject({ status: 413, body: { detail: tooLarge } });
  expect(await send([Buffer.alloc(limit + 1)], { 'content-length': String(limit + 1) })).toMatchObject({
    status: 413,
    body: { detail: tooLarge },
  });
  expect(await send([])).toMatchObject({ status: 200, body: { bytes: 0 } });
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['GZIP', gzipSync],
] as const)('unpacks %s', async (coding, pack) => {
  const text = Buffer.from('a text that repeats. '.repeat(1_000));
  expect(await send([pack(text)], { 'content-encoding': coding })).toMatchObject({ status: 200, body: { bytes: text.length } });
  expect(await send([Buffer.from('not packed at all')], { 'content-encoding': coding })).toMatchObject({
    status: 400,
    body: { detail: 'Malformed JSON' },
  });
});

test('a body unpacks to a hundred times its bytes at most, once it is over a mebibyte', async () => {
  const packed = (bytes: number): Buffer => gzipSync(Buffer.alloc(bytes, ' '));
  expect(await send([packed(1024 * 1024)], { 'content-encoding': 'gzip' })).toMatchObject({
    status: 200,
    body: { bytes: 1024 * 1024 },
  });
  expect(await send([packed(1024 * 1024 + 1)], { 'content-encoding': 'gzip' })).toEqual({
    status: 413,
    body: { detail: { ...tooLarge, compression_ratio_limit: 100 } },
    connection: expect.any(String),
  });
  const records = Buffer.from(
    Array.from({ length: 20_000 }, (_, index) =>
      JSON.stringify({ id: index, name: `Customer ${index}`, city: 'Berlin', tags: ['a', 'b'] }),
    ).join(),
  );
  expect(await send([gzipSync(records)], { 'content-encoding': 'gzip' })).toMatchObject({
    status: 200,
    body: { bytes: records.length },
  });
});

test.each(['constructor', '__proto__', 'x-gzip', 'zstd', 'gzip, br', 'compress'])(
  'the content coding %s is refused',
  async (coding) => {
    expect(await send([Buffer.from('{}')], { 'content-encoding': coding })).toMatchObject({
      status: 415,
      body: { detail: 'Unsupported content encoding' },
    });
  },
);

test('a body that does not arrive in time is refused, and its connection is closed', async () => {
  waitMs = 50;
  expect(await send([Buffer.from('{"half":')], {}, true)).toEqual({
    status: 408,
    body: { detail: 'Request Timeout' },
    connection: 'close',
  });
}, 20_000);
