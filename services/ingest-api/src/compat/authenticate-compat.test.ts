import { compatKeyHash } from '@sluice/connector-feed';
import { connectorId, rawKey } from '@sluice/connector-feed/testing';
import { compatShopOfTest, error, legacyKey, orders } from './test-support/compat-shop';

const { start, call, api } = compatShopOfTest();

describe('a call that is refused', () => {
  test.each<[string, Record<string, string>]>([
    ['another key', { 'x-legacy-key': 'another key' }], ['an empty key', { 'x-legacy-key': '' }],
    ['a connector key', { 'x-legacy-key': rawKey }], [
      'the key in another header', { 'x-legacy-key': '', 'x-api-key': legacyKey },
    ],
  ])('with %s: 401 that names the header', async (_title, headers) => {
    await start();
    for (const path of ['orders/import', 'nowhere', 'api/check/x', 'api/resend/all/x'])
      expect(await call(path, orders('1'), headers)).toMatchObject({ status: 401, body: error('Invalid X-Legacy-Key') });
  });

  test('a compat key is good for nothing else', async () => {
    await start();
    expect((await api().post({ event: 'a', data: {} }, { 'x-api-key': legacyKey })).status).toBe(401);
    expect((await api().status('evt_x', legacyKey)).status).toBe(401);
  });
});

test.each(['latin1', 'utf8'] as const)('a key with other characters than ASCII is good as it is sent: %s', async (coding) => {
  await start();
  const secret = 'Schlüssel für Größe';
  api().compatKeys.set(`${connectorId}/${compatKeyHash(connectorId, secret)}`, 'compat-key-2');
  const sent = (text: string) => ({ 'x-legacy-key': Buffer.from(text, coding).toString('latin1') });
  expect((await call('orders/import', orders('1'), sent(secret))).status).toBe(200);
  expect((await call('orders/import', orders('1'), sent(`${secret}s`))).status).toBe(401);
});

describe('failed authentications', () => {
  const guess = (path: string, at: number) => call(path, orders('1'), { 'x-legacy-key': `guess ${at}` });

  test('lock their address after twenty over all paths, also for a good key, and no other address', async () => {
    await start({}, {}, { trustProxy: 1 });
    const paths = ['orders/import', 'api/check/x', 'api/resend/all/x'];
    for (let at = 0; at < 20; at += 1) expect((await guess(paths[at % 3]!, at)).status).toBe(401);
    for (const path of paths) {
      const locked = await call(path, orders('1'));
      expect(locked).toMatchObject({ status: 429, body: error('Too many failed authentications') });
      expect(Number(locked.headers.get('retry-after'))).toBeLessThanOrEqual(900);
    }
    expect((await call('orders/import', orders('1'), { 'x-forwarded-for': '192.0.2.9' })).status).toBe(200);
  });

  test('are forgotten after fifteen minutes', async () => {
    await start();
    for (let guessed = 0; guessed < 20; guessed += 1) await guess('orders/import', guessed);
    expect((await call('orders/import', orders('1'))).status).toBe(429);
    api().faults.now = Date.now() + 901_000;
    expect((await call('orders/import', orders('1'))).status).toBe(200);
  });
});
