import { aConnector, rawKey } from '@sluice/connector-feed/testing';
import { type ConnectorKey, maxKeysInChange } from '@sluice/contracts';
import { sha256Hex } from '@sluice/service-kit';
import { ingestApiOfTest } from '../test-support/ingest-api-of-test';
import { eventually } from '../test-support/start-ingest-api';
import { order } from './test-support/requests';

const { start, stop } = ingestApiOfTest();

describe('401', () => {
  test('a key that connector.changes has not delivered is looked up once, a key that does not exist once a second', async () => {
    const { post, lookUps, database, faults } = await start([]);
    faults.now = 1_800_000_000_000;
    expect((await post(order)).status).toBe(401);
    database.push(aConnector());
    expect((await post(order)).status).toBe(401);
    expect(lookUps).toHaveLength(1);
    faults.now += 1_001;
    expect((await post(order)).status).toBe(202);
    expect((await post(order)).status).toBe(202);
    expect(lookUps).toHaveLength(2);
  });

  test('the store learns that a key was used only when the key is valid', async () => {
    const ingest = await start([aConnector()]);
    await ingest.post(order, { 'x-api-key': 'slc_other' });
    await ingest.post(order);
    await ingest.status('evt_unknown');
    await stop();
    expect(ingest.keysUsed).toEqual([sha256Hex(rawKey)]);
  });

  test('503 when the database is away and the key is not in memory; a key in memory still works', async () => {
    const { post, faults } = await start([aConnector()]);
    faults.databaseDown = true;
    expect(await post(order, { 'x-api-key': 'slc_other' })).toMatchObject({
      status: 503,
      body: { detail: { error: 'event_ingestion_unavailable' } },
    });
    expect((await post(order)).status).toBe(202);
  });

  test('a key that its connector change has no room for is looked up, and revoked by the next change', async () => {
    const others: ConnectorKey[] = Array.from({ length: maxKeysInChange }, (_, index) => ({
      id: `n${index}`,
      hash: sha256Hex(`newer ${index}`),
      expires_at: null,
    }));
    const { post, announce, database, lookUps } = await start([aConnector({ keys: others })]);
    database.push(aConnector({ keys: [...others, ...aConnector().keys] }));
    expect([(await post(order)).status, (await post(order)).status, lookUps.length]).toEqual([202, 202, 1]);
    database[0] = aConnector({ revision: 2, keys: others });
    await announce(database[0]!);
    await eventually('the key is gone', async () => (await post(order)).status === 401);
  });

  test('a key is refused once its revocation arrives, once it expires, and once its connector is deleted', async () => {
    const { post, announce } = await start([aConnector({ keys: [...aConnector().keys] })]);
    await announce(aConnector({ revision: 2, keys: [] }));
    await eventually('the key is gone', async () => (await post(order)).status === 401);
    await announce(aConnector({ revision: 1 }));
    await announce(
      aConnector({ revision: 3, keys: aConnector().keys.map((key) => ({ ...key, expires_at: '2020-01-01T00:00:00Z' })) }),
    );
    expect((await post(order)).status).toBe(401);
    await announce(aConnector({ revision: 4 }));
    await eventually('the key is back', async () => (await post(order)).status === 202);
    await announce(aConnector({ revision: 5, deleted: true }));
    await eventually('the connector is gone', async () => (await post(order)).status === 401);
  });
});
