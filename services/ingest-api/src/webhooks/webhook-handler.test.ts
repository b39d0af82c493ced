import { gzipSync } from 'node:zlib';
import { connectorId } from '@sluice/connector-feed/testing';
import { mac, type Sent, webhookShopOfTest } from './test-support/webhook-shop';

const { start, send, json, api } = webhookShopOfTest();

const unsigned = '5f0c1c9e-0000-4000-8000-000000000002';

describe('a call that is refused', () => {
  test.each<[string, Sent, number, unknown]>([
    ['without a signature', { headers: { 'x-signature': undefined } }, 401, 'Invalid signature'],
    ['with another one', { headers: { 'x-signature': mac('other') } }, 401, 'Invalid signature'],
    ['unsigned and empty', { body: '', headers: { 'x-signature': undefined } }, 401, 'Invalid signature'],
    ['unsigned and malformed', { body: '{', headers: { 'x-signature': 'x' } }, 401, 'Invalid signature'],
    ['empty', { body: '' }, 400, 'Empty body'],
    ['malformed', { body: '{"a":' }, 400, 'Malformed JSON'],
    ['a form that says it is JSON', { body: 'a=1' }, 400, 'Malformed JSON'],
    ['text', { body: 'hello', headers: { 'content-type': 'text/plain' } }, 415, 'Unsupported content type'],
    ['a multipart form', { headers: { 'content-type': 'multipart/form-data; boundary=x' } }, 415, 'Unsupported content type'],
    ['of an unknown coding', { headers: { 'content-encoding': 'zstd' } }, 415, 'Unsupported content encoding'],
    ['that is not packed as it says', { body: '{}', headers: { 'content-encoding': 'gzip' } }, 400, 'Malformed JSON'],
    ['a number', { body: '5' }, 422, [expect.objectContaining({ type: 'type_error', loc: ['body'] })]],
    ['nested too deep', { body: '['.repeat(300) + ']'.repeat(300) }, 422, [expect.objectContaining({ loc: ['body'] })]],
    ['to no webhook', { source: 'ticks' }, 404, 'Not Found'],
    ['to no source', { source: 'none' }, 404, 'Not Found'],
    ['to a name that is none', { source: '%zz' }, 404, 'Not Found'],
    ['below a source', { source: 'shop/more' }, 404, 'Not Found'],
    ['read', { method: 'GET' }, 405, 'Method Not Allowed'],
  ])('%s', async (_title, sent, status, detail) => {
    await start();
    expect(await send(sent)).toMatchObject({ status, body: { detail } });
    expect(api().messages()).toEqual([]);
  });

  test('without the type that its source reads: 422 that names the place', async () => {
    await start({ event_type_path: '$.topic' });
    expect(await json({ a: 1 })).toMatchObject({
      status: 422, body: {
        detail: [{ type: 'missing', loc: ['body', 'event_type'], msg: 'Field required at $.topic', input: null }],
      },
    });
  });

  test('over 5 MiB: 413, before anything is checked', async () => {
    await start();
    const large = { status: 413, body: { detail: { error: 'payload_too_large', limit_bytes: 5_242_880 } } };
    expect(await send({ body: `"${'x'.repeat(5_242_880)}"`, headers: { 'x-signature': 'x' } })).toMatchObject(large);
    const bomb = gzipSync(Buffer.alloc(6_000_000, 0x20));
    expect((await send({ body: bomb, headers: { 'content-encoding': 'gzip' } })).status).toBe(413);
  });

  test('of an unknown connector, as of an unknown source', async () => {
    await start();
    const unknown = await api().send(`/api/webhooks/${unsigned}/shop`, { method: 'POST', body: '{}' });
    const source = await send({ source: 'none' });
    const other = await send({ source: 'ticks' });
    for (const { body, status } of [unknown, source, other]) expect([status, body]).toEqual([404, { detail: 'Not Found' }]);
    expect((await api().send('/api/webhooks/nonsense/shop', { method: 'POST', body: '{}' })).status).toBe(404);
    expect((await api().send('/api/webhooks', { method: 'POST', body: '{}' })).status).toBe(404);
  });

  test('to a source that is switched off: 410', async () => {
    await start();
    api().published.get(connectorId)!.off = ['shop'];
    expect(await send()).toMatchObject({ status: 410, body: { detail: { error: 'webhook_source_disabled' } } });
    expect((await send({ source: 'other' })).status).toBe(202);
  });
});
