import { aConnector, connectorId, rawKey } from '@sluice/connector-feed/testing';
import { setupTracing } from '@sluice/service-kit';
import { ingestApiOfTest } from '../test-support/ingest-api-of-test';
import { order } from './test-support/requests';

const { start } = ingestApiOfTest();

describe('around the path', () => {
  test('other methods and spellings', async () => {
    const { get, url } = await start([aConnector()]);
    const refused = await get('/api/v1/events');
    expect([refused.status, refused.headers.get('allow'), refused.body]).toEqual([405, 'POST', { detail: 'Method Not Allowed' }]);
    const slash = await fetch(`${url}/api/v1/events/`, {
      method: 'POST',
      headers: { 'x-api-key': rawKey },
      body: JSON.stringify(order),
    });
    expect(slash.status).toBe(202);
    expect((await get('/api/v1/other')).status).toBe(404);
    expect((await get('/readyz')).status).toBe(200);
  });

  test('the log line of a refused event and of a status read has organization, connector, key and address', async () => {
    const { post, status, lines } = await start([aConnector()], { trustProxy: 1 });
    const whose = {
      organization_id: aConnector().organization_id,
      connector_id: connectorId,
      principal: 'connector_key:k1',
      address: expect.any(String),
    };
    const lineOf = (id: string) =>
      lines.find(({ message, fields }) => message === 'request' && fields['request_id'] === id)?.fields;
    await post({}, { 'x-request-id': 'refused-1', 'x-forwarded-for': '203.0.113.7' });
    expect(lineOf('refused-1')).toMatchObject({ ...whose, address: '203.0.113.7', status: 422 });
    await post(order, { 'x-request-id': 'unknown-1', 'x-api-key': 'slc_other' });
    expect(lineOf('unknown-1')).toMatchObject({ address: expect.any(String), status: 401 });
    await status('evt_nothing');
    expect(lines.find(({ fields }) => fields['route'] === 'get_event_status')?.fields).toMatchObject({ ...whose, status: 404 });
  });

  test('every answer carries a request id; the trace of the caller travels on', async () => {
    setupTracing();
    const { post, messages } = await start([aConnector()]);
    const refused = await post({}, { 'x-request-id': 'not well formed!' });
    expect(refused.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    await post(order);
    await post(order, { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' });
    const [untraced, traced] = messages().map(({ headers }) => headers?.traceparent);
    expect(untraced).toBeUndefined();
    expect(traced).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
  });
});
