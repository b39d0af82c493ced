import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { BlobStoreUnavailable } from '@sluice/ports';
import { until } from '@sluice/ports/testing';
import { digest } from './test-support/streaming-routes';
import { eachStreamingServer } from './test-support/streaming-server';

const server = eachStreamingServer();

const form = (parts: Record<string, string | Blob>): FormData => {
  const made = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (typeof value === 'string') made.append(name, value);
    else made.append(name, value, `${name}.csv`);
  }
  return made;
};
const post = async (body: RequestInit['body'], headers: Record<string, string> = {}) => {
  const answer = await fetch(server().url('/imports'), { method: 'POST', body: body ?? null, headers });
  return { status: answer.status, body: (await answer.json()) as any };
};

describe('a form', () => {
  it('passes its file on as it arrives and checks its fields, which may come later', async () => {
    let first: () => void = () => undefined;
    const began = new Promise<void>((resolve) => { first = resolve; });
    server().sink = async (bytes) => {
      bytes.once('data', () => first());
      return digest(await buffer(bytes));
    };
    const { sent, answer } = server().raw('/imports', 'POST', { 'content-type': 'multipart/form-data; boundary=x' });
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
    const { sent, answer } = server().raw('/imports', 'POST', headers);
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
    server().sink = () => Promise.reject(new BlobStoreUnavailable('away'));
    const { status, body } = await post(form({ entity: 'contact', file: new Blob([Buffer.alloc(1_000_000)]) }));
    expect([status, body.detail.error]).toEqual([503, 'service_unavailable']);
    server().sink = async (bytes) => digest(await buffer(bytes));
    expect((await post(form({ entity: 'contact', file: new Blob(['1']) }))).status).toBe(202);
  });

  it('answers what its sink throws after it has read the whole file', async () => {
    server().sink = async (bytes) => {
      await buffer(bytes);
      await sleep(50);
      throw new BlobStoreUnavailable('away');
    };
    expect((await post(form({ entity: 'contact', file: new Blob(['1']) }))).status).toBe(503);
  });

  it('ends its sink when the caller leaves in the middle', async () => {
    let broke: unknown;
    let begun = false;
    server().sink = async (bytes) => {
      begun = true;
      return buffer(bytes).catch((error: unknown) => { broke = error; throw error; });
    };
    const { sent } = server().raw('/imports', 'POST', { 'content-type': 'multipart/form-data; boundary=x' });
    sent.on('error', () => undefined);
    sent.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc');
    await until('the sink has begun', () => begun);
    sent.destroy();
    await until('the sink has ended', () => broke !== undefined);
    expect(broke).toMatchObject({ status: 400 });
    await until('the log line', () => server().lines.some(({ route, status }) => route === 'import_things' && status === 499));
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
