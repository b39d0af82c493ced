import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monotonicClock, wallClock } from '@sluice/ports';
import { createRestClient, type RestClient } from '@sluice/rest-client';
import { createSourcePages } from '@sluice/rest-targets';
import { pageBounds } from './page-bounds';

let server: Server;
let client: RestClient;
let url: string;
beforeAll(async () => {
  client = createRestClient({ allowPrivateTargets: true });
  server = createServer((request, response) => {
    if (request.url === '/slow') return;
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    let left = 51;
    const more = (): void => {
      left -= 1;
      if (left < 0) response.end('[]');
      else response.write(chunk, more);
    };
    response.on('error', () => undefined);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await client.close();
});

const read = (path: string, bounds: { timeoutMs: number; maxBytes: number }): Promise<unknown> =>
  createSourcePages({
    client, reader: { sourceCredential: async () => null }, monotonicNow: monotonicClock(() => performance.now()),
    now: wallClock(), ...bounds,
  }).get('org', {}, `${url}${path}`, new AbortController().signal);

test('a page over 50 MB is refused', async () => {
  await expect(read('/large', pageBounds)).rejects.toThrow('longer than 52428800 bytes');
});

test('a page that does not come in time is refused', async () => {
  expect(pageBounds.timeoutMs).toBe(30_000);
  await expect(read('/slow', { ...pageBounds, timeoutMs: 100 })).rejects.toThrow('no answer within 100 ms');
});

test('a credential that does not exist, or a header that no request may carry, is told of', async () => {
  const pages = createSourcePages({
    client, reader: { sourceCredential: async () => null }, monotonicNow: monotonicClock(() => 0), now: wallClock(),
    ...pageBounds,
  });
  const get = (source: object): Promise<unknown> => pages.get('org', source, url, new AbortController().signal);
  await expect(get({ credential_name: 'gone' })).rejects.toThrow("'gone' does not exist");
  await expect(get({ default_headers: { Host: 'x' } })).rejects.toThrow("'Host'");
});
