import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectorChanges, decodeEnvelope, eventsInbound } from '@sluice/contracts';
import { type ReceivedMessage, silentLogger } from '@sluice/ports';
import { until } from '@sluice/ports/testing';
import { createHttpServer, generateKeyringSetting, healthApp, parseSettings, sha256Hex } from '@sluice/service-kit';
import { openStoreParts, type StoreParts } from '@sluice/service-parts';
import { testContext } from '@sluice/service-parts/test-support';
import { testDatabase } from '@sluice/testkit';
import { composeIngestApi } from './compose';
import { ingestApiSettings } from './settings';
import { aConnector, connectorId, rawKey } from '@sluice/connector-feed/testing';

/** ingest-api on the embedded bus and a real Postgres, as `npm start` has it. */
async function lab() {
  const database = await testDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'ingest-api-'));
  const settings = parseSettings(ingestApiSettings, {
    DATABASE_URL: database.url,
    SLUICE_DATA_DIR: dataDir,
    SLUICE_EVENT_ID_KEYS: generateKeyringSetting(),
    SLUICE_PORT: '0',
  });
  const context = testContext('ingest-api', settings);
  const { lifecycle, health, metrics } = context;
  const options = { service: 'ingest-api', logger: silentLogger, metrics, installation: 'test' };
  const parts = openStoreParts(settings, options, lifecycle);
  const { handle } = composeIngestApi(parts, context, { validateAnswers: true });
  const http = createHttpServer({ app: healthApp(context, handle), port: 0 });
  lifecycle.add('http', http.start, http.stop);
  await lifecycle.start();
  return {
    parts, health, url: `http://127.0.0.1:${http.port()}`,
    stop: async () => {
      expect(await lifecycle.stop('test')).toEqual({ clean: true });
      await database.drop();
      rmSync(dataDir, { recursive: true });
    },
  };
}

const ask = async (url: string, init: RequestInit = {}): Promise<{ status: number; body: any }> => {
  const response = await fetch(url, { ...init, headers: { 'x-api-key': rawKey, ...init.headers } });
  return { status: response.status, body: await response.json() };
};

async function inboundMessages(parts: StoreParts): Promise<ReceivedMessage[]> {
  const seen: ReceivedMessage[] = [];
  const subscription = await parts.bus.subscribe({
    topic: eventsInbound.name,
    group: 'test',
    fromStart: true,
    handlers: {
      assigned: () => undefined,
      revoked: () => undefined,
      messages: (_partition, messages) => void seen.push(...messages),
    },
  });
  await until('the messages', () => seen.length >= 4);
  await subscription.stop();
  return seen;
}

test('publishes to the log, indexes and answers the status; the connector is known from the topic', async () => {
  const { parts, url, health, stop } = await lab();
  try {
    const events = `${url}/api/v1/events`;
    const order = JSON.stringify({ event: 'order.created', data: { id: 'A-1', note: 'a\0b \ud800' } });
    expect((await ask(events, { method: 'POST', body: order })).status).toBe(401);
    const change = aConnector({ organization: { tier: 'pro' } });
    await parts.bus.publish(connectorChanges.name, 0, [{ key: connectorId, value: Buffer.from(JSON.stringify(change)) }]);
    await until('the connector is known', async () => (await ask(events, { method: 'POST', body: '{}' })).status === 422);

    const accepted = await ask(events, { method: 'POST', body: order, headers: { 'idempotency-key': 'k' } });
    expect(accepted).toEqual({
      status: 202,
      body: { event_id: expect.any(String), status: 'processing', entities_count: 1, hint: null },
    });
    expect(await ask(events, { method: 'POST', body: order, headers: { 'idempotency-key': 'k' } })).toEqual(accepted);
    const entities = ['1', '2', '3'].map((id) => ({ type: 'contact', externalObjectId: id, properties: {} }));
    const second = await ask(events, { method: 'POST', body: JSON.stringify({ event: 'sync', entities }) });

    const messages = await inboundMessages(parts);
    expect(messages.map(({ value }) => decodeEnvelope(value as Buffer).event_id)).toEqual([
      accepted.body.event_id,
      ...Array.from({ length: 3 }, () => second.body.event_id),
    ]);
    const statusOf = (id: string) => ask(`${events}/${id}/status`);
    await until('the index has both', async () => (await statusOf(second.body.event_id)).body.entities_total === 3);
    expect(await statusOf(accepted.body.event_id)).toEqual({
      status: 200,
      body: {
        event_id: accepted.body.event_id,
        status: 'processing',
        entities_total: 1,
        entities_done: 0,
        entities: [],
        hint: null,
      },
    });
    expect(await parts.eventIndex.acceptedSince(change.organization_id, '2020-01-01T00:00:00Z')).toBe(4);
    expect(await health.ready()).toMatchObject({ status: 'ok' });
  } finally {
    await stop();
  }
});

test('a key that is only in the database is looked up there, and is refused once its revocation arrives', async () => {
  const { parts, url, stop } = await lab();
  try {
    const account = await parts.configStore.accounts.create({
      email: 'ana@example.com',
      passwordHash: 'x',
      organizationName: 'Shop',
      tier: 'enterprise',
    });
    if (!account.ok) throw new Error(account.reason);
    const created = await parts.configStore.connectors.create({
      organizationId: account.organizationId,
      name: 'Shop',
      mode: 'live',
      credentialId: null,
      createdById: account.userId,
      connectorsLimit: null,
      apiKey: { label: 'k', hash: sha256Hex(rawKey), createdById: account.userId },
    });
    if (!created.ok || !created.apiKey) throw new Error('not created');
    const send = () =>
      ask(`${url}/api/v1/events`, { method: 'POST', body: JSON.stringify({ event: 'order.created', data: {} }) });
    expect(await send()).toMatchObject({ status: 202, body: { hint: expect.stringContaining('no published version') } });

    await parts.configStore.connectors.revokeKey(created.connector.id, created.apiKey.id);
    await parts.configStore.outbox.drain(100, async (messages) => {
      for (const { topic, key, payload } of messages)
        await parts.bus.publish(topic, 0, [{ key, value: Buffer.from(JSON.stringify(payload)) }]);
      return { published: messages.map(({ id }) => id), setAside: [] };
    });
    await until('the key has stopped', async () => (await send()).status === 401);
  } finally {
    await stop();
  }
});
