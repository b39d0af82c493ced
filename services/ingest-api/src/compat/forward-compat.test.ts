import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { compatShopOfTest, error, legacyKey, orders } from './test-support/compat-shop';

const { start, stop, call } = compatShopOfTest();

let legacy: Server | undefined;
afterEach(() => {
  legacy?.close();
  legacy = undefined;
});

describe('the fallback', () => {
  const asked: { method?: string | undefined; url?: string | undefined; key: unknown; body: string }[] = [];

  async function startLegacy(): Promise<string> {
    asked.length = 0;
    legacy = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        asked.push({
          method: request.method, url: request.url, key: request.headers['x-legacy-key'], body: Buffer.concat(chunks).toString(),
        });
        response.writeHead(203, { 'content-type': 'application/json' }).end('{"result":"ok","callId":"legacy-1"}');
      });
    });
    const server = legacy;
    await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test('gets what Sluice does not know, with key and body, and its answer comes back', async () => {
    await start({ fallback: { base_url: `${await startLegacy()}/old/` } });
    const answer = { status: 203, body: { result: 'ok', callId: 'legacy-1' } };
    expect(await call('Invoices/Import?x=1', { a: 1 })).toMatchObject(answer);
    expect(await call('api/check/17')).toMatchObject(answer);
    expect(await call('api/resend/all/17')).toMatchObject(answer);
    expect(asked).toEqual([
      { method: 'POST', url: '/old/Invoices/Import?x=1', key: legacyKey, body: '{"a":1}' },
      { method: 'POST', url: '/old/api/check/17', key: legacyKey, body: '' },
      { method: 'POST', url: '/old/api/resend/all/17', key: legacyKey, body: '' },
    ]);
    expect((await call('orders/import', orders('1'))).body.callId).toMatch(/^evt_/);
    expect((await call('invoices', {}, { 'x-legacy-key': 'x' })).status).toBe(401);
    expect(asked).toHaveLength(3);
  });

  test('that does not answer is 502, one that is switched off is not asked', async () => {
    await start({ fallback: { base_url: 'http://127.0.0.1:1' } });
    expect(await call('invoices', {})).toMatchObject({ status: 502, body: error('The fallback service does not answer') });
    await stop();
    await start({ fallback: { base_url: await startLegacy(), enabled: false } });
    expect(await call('invoices', {})).toMatchObject({ status: 404, body: error('Not found') });
    expect(asked).toEqual([]);
  });

  test('in a private network is not called where the installation does not allow it', async () => {
    await start({ fallback: { base_url: await startLegacy() } }, {}, { allowPrivateTargets: false });
    expect((await call('invoices', {})).status).toBe(502);
    expect(asked).toEqual([]);
  });
});
