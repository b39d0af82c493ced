import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@sluice/ports/testing';
import { digest, file } from './test-support/streaming-routes';
import { chunksOf, eachStreamingServer } from './test-support/streaming-server';

const server = eachStreamingServer();

describe('an upload', () => {
  const put = async (body: Buffer, type = 'application/zip', headers = {}) => {
    const answer = await fetch(server().url('/uploads'), { method: 'PUT', body, headers: { 'content-type': type, ...headers } });
    return [answer.status, await answer.json()];
  };

  it('is passed on, with its type and its bound', async () => {
    expect(await put(file, 'Application/ZIP; a=b')).toEqual([200, { type: 'application/zip', got: digest(file) }]);
    expect(await put(Buffer.alloc(3_000_000))).toMatchObject([200, {}]);
    expect(await put(Buffer.alloc(3_000_001))).toEqual([413, { detail: { error: 'payload_too_large', limit_bytes: 3_000_000 } }]);
    expect(await put(file, 'text/csv')).toEqual([415, { detail: 'Unsupported content type' }]);
  });

  it('over its bound without a length is refused while it arrives', async () => {
    const { sent, answer } = server().raw('/uploads', 'PUT', { 'content-type': 'application/zip' });
    sent.on('error', () => undefined);
    for (let at = 0; at < 4; at += 1) sent.write(Buffer.alloc(1_000_000));
    expect((await answer).statusCode).toBe(413);
    sent.destroy();
  });

  it('may take longer than a request may, but not without progress', async () => {
    await server().stop();
    await server().start({ idleMs: 3_000 }, 300);
    const { sent, answer } = server().raw('/uploads', 'PUT', { 'content-type': 'application/zip' });
    for (let at = 0; at < 8; at += 1) {
      sent.write(Buffer.alloc(70_000));
      await sleep(100);
    }
    sent.end();
    expect((await answer).statusCode).toBe(200);
    const slow = server().raw('/uploads', 'PUT', { 'content-type': 'application/zip' });
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
    server().sink = async (bytes) => {
      for await (const chunk of bytes) {
        taken += (chunk as Buffer).length;
        await mayGoOn;
      }
      return taken;
    };
    const { sent, answer } = server().raw('/uploads', 'PUT', { 'content-type': 'application/zip', 'content-length': 3_000_000 });
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
