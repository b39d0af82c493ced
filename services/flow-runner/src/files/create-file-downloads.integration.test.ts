import { wallClock } from '@sluice/ports';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRestClient } from '@sluice/rest-client';
import { createFileDownloads } from './create-file-downloads';

let serve: RequestListener;
const server = createServer((request, response) => serve(request, response));
const clients: { close(): Promise<void> }[] = [];
let base: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  for (const client of clients) await client.close();
  server.close();
  server.closeAllConnections();
});

const read = (path: string, { timeoutMs = 5_000, allowPrivateTargets = true, maxBytes = 1_048_576 } = {}) => {
  const client = createRestClient({ allowPrivateTargets });
  clients.push(client);
  return createFileDownloads({ client, timeoutMs, now: wallClock() }).read(`${base}${path}`, { maxBytes });
};
const answering = (status: number, headers: Record<string, string> = {}) => {
  serve = (_, response) => response.writeHead(status, headers).end();
};
const token = 'a-token-of-the-address';

describe('reading a file from its address', () => {
  it('gives the bytes as they are', async () => {
    const bytes = Buffer.from([0, 255, 10, 13]);
    serve = (_, response) => response.end(bytes);
    expect(await read('/a.pdf')).toEqual({ ok: true, value: bytes });
  });

  it('stops at the bound, whatever the length that is announced', async () => {
    serve = (_, response) => response.end(Buffer.alloc(2_000_000));
    expect(await read('/a.pdf')).toMatchObject({
      kind: 'permanent',
      code: 'file_too_large',
      message: expect.stringContaining('larger than 1 MiB'),
    });
  });

  it.each([
    [404, 'permanent', 'file_source_rejected'],
    [401, 'permanent', 'file_source_rejected'],
    [302, 'permanent', 'file_source_rejected'],
    [408, 'transient', 'file_source_unavailable'],
    [429, 'transient', 'file_source_unavailable'],
    [503, 'transient', 'file_source_unavailable'],
  ])('%d is %s, %s', async (status, kind, code) => {
    answering(status, { location: 'http://127.0.0.1:1/', 'retry-after': '7' });
    const failure = await read(`/a.pdf?signature=${token}`);
    expect(failure).toMatchObject({ ok: false, kind, code, ...(kind === 'transient' && { retryAfterMs: 7_000 }) });
    expect(JSON.stringify(failure)).not.toContain(token);
  });

  it('is transient when nobody answers, or the connection is cut', async () => {
    serve = () => undefined;
    const late = await read(`/a.pdf?signature=${token}`, { timeoutMs: 200 });
    serve = (request) => request.socket.destroy();
    const cut = await read(`/a.pdf?signature=${token}`);
    for (const failure of [late, cut]) expect(failure).toMatchObject({ kind: 'transient', code: 'file_source_unavailable' });
    expect(JSON.stringify([late, cut])).not.toContain(token);
  });

  it('does not read from private addresses, unless the setting allows it', async () => {
    let asked = 0;
    serve = (_, response) => void ((asked += 1), response.end());
    const refused = await read(`/a.pdf?signature=${token}`, { allowPrivateTargets: false });
    expect(refused).toMatchObject({ kind: 'permanent', code: 'file_source_refused' });
    expect([asked, JSON.stringify(refused).includes(token)]).toEqual([0, false]);
  });
});
