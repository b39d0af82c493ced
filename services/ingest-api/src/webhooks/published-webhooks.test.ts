import { aConnector, connectorId } from '@sluice/connector-feed/testing';
import { urlToken } from '@sluice/sources';
import { eventually } from '../test-support/start-ingest-api';
import { hook, invalid, mac, secret, webhookShopOfTest } from './test-support/webhook-shop';

const { start, stop, publish, send, api } = webhookShopOfTest();

describe('what is published', () => {
  const later = (revision: number) => aConnector({ revision });

  test('is read once, and again when the connector changes', async () => {
    await start();
    await Promise.all([send(), send(), send({ source: 'other' })]);
    await send();
    expect(api().sourceReads).toHaveLength(1);
    await api().announce(later(2));
    await eventually('it is read again', () => api().sourceReads.length === 2);
    expect((await send()).status).toBe(202);
    expect(api().sourceReads).toHaveLength(2);
  });

  test('a new secret works at once, also before the topic tells of it, and then the old one does not', async () => {
    await start();
    expect((await send()).status).toBe(202);
    api().published.set(connectorId, { sources: [hook()], secrets: { shop: 'newer' }, ingressProfile: null });
    api().database.push(later(2));
    const newer = { 'x-signature': mac('{}', 'newer') };
    expect((await send({ headers: newer })).status).toBe(202);
    expect(await send()).toMatchObject(invalid);
    expect((await send({ headers: newer })).status).toBe(202);
  });

  test('a source that was just published is found before the topic tells of it', async () => {
    await start();
    await send();
    expect((await send({ source: 'third' })).status).toBe(404);
    publish(hook(), hook({}, 'fourth'));
    api().database.push(later(2));
    expect((await send({ source: 'fourth' })).status).toBe(202);
  });

  test('calls go on for what is in memory while the database is away; others are asked to come again', async () => {
    await start();
    await send();
    api().faults.databaseDown = true;
    expect((await send()).status).toBe(202);
    expect(await send({ headers: { 'x-signature': 'x' } })).toMatchObject(invalid);
    expect((await send({ source: 'none' })).status).toBe(503);
  });

  test('a secret that cannot be opened verifies nothing, and the log says so', async () => {
    await start();
    const published = { sources: [hook()], secrets: { shop: secret }, ingressProfile: null };
    api().published.set(connectorId, { ...published, unreadable: ['shop'] });
    expect(await send()).toMatchObject(invalid);
    expect(api().lines).toContainEqual(expect.objectContaining({
      level: 'error', message: 'the secret of a webhook cannot be opened: rotate it',
      fields: expect.objectContaining({ connector_id: connectorId, source: 'shop' }) as object,
    }));
    api().published.set(connectorId, published);
    await api().announce(later(2));
    await eventually('the rotated secret is read', async () => (await send()).status === 202);
  });

  test('what has changed since is not taken by what memory knew, also where it cannot be read', async () => {
    await start();
    expect((await send()).status).toBe(202);
    api().faults.databaseDown = true;
    await api().announce(later(2));
    await eventually('the change is known and cannot be read', async () => (await send()).status === 503);
    api().published.set(connectorId, { sources: [hook()], secrets: { shop: secret }, off: ['shop'], ingressProfile: null });
    api().faults.databaseDown = false;
    expect((await send()).status).toBe(410);
  });

  test('a source without signatures takes whoever knows its URL, and its name alone is not enough', async () => {
    await start();
    publish(hook({ verify_signature: 'none' }), hook({}, 'other'));
    const none = { 'x-signature': undefined };
    expect((await send({ source: `shop/${urlToken(secret)}`, headers: none })).status).toBe(202);
    expect((await send({ source: 'shop' })).status).toBe(404);
    expect((await send({ source: `shop/${urlToken('other')}` })).status).toBe(404);
    expect((await send({ source: `other/${urlToken(secret)}`, headers: none })).status).toBe(404);
  });

  test('what sources did last is noted', async () => {
    await start();
    await send();
    await send({ source: 'other', headers: { 'x-signature': 'x' } });
    await send({ source: 'other', body: '5' });
    await stop();
    expect(api().activities).toEqual([
      { connectorId, name: 'shop', lastEventAt: expect.any(Date) as Date, lastError: null },
      { connectorId, name: 'other', lastError: '422 body: Input should be an object or a list' },
    ]);
  });
});
