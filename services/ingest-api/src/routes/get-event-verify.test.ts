import { aConnector, connectorId, rawKey } from '@sluice/connector-feed/testing';
import type { VerifyUnits } from '@sluice/event-verify';
import { settleCompleted } from '../test-support/settle-completed';
import { startIngestApi, type TestIngestApi } from '../test-support/start-ingest-api';

const getFrom = ({ url }: TestIngestApi) => (id: string) =>
  fetch(`${url}/api/v1/events/${id}/verify`, { headers: { 'x-api-key': rawKey } });

/** An event that ended with one record. */
async function ended(ingest: TestIngestApi): Promise<string> {
  const { body } = await ingest.post({ event: 'contact_synced', data: {} });
  const eventId = body.event_id as string;
  await settleCompleted(ingest.store, eventId);
  return eventId;
}

test('the route answers only for events of its connector, with what the service says that reads the CRM', async () => {
  const asked: unknown[] = [];
  const verifyUnits: VerifyUnits = async (connector, units) => {
    asked.push([connector.connector_id, units.map(({ externalId }) => externalId)]);
    return [{ entity_name: 'contact', external_id: '1', crm_id: '7', status: 'match', properties: [], reason: null }];
  };
  const ingest = await startIngestApi([aConnector()], {}, { verifyUnits });
  ingest.database.push(aConnector());
  const get = getFrom(ingest);
  try {
    expect((await get('evt_nothing')).status).toBe(404);
    const { body } = await ingest.post({ event: 'contact_synced', data: {} });
    expect(await (await get(body.event_id as string)).json()).toEqual({ event_id: body.event_id, entities: [] });
    const eventId = await ended(ingest);
    const answer = await get(eventId);
    expect([answer.status, await answer.json()]).toMatchObject([
      200, { event_id: eventId, entities: [{ entity_name: 'contact', external_id: '1', crm_id: '7', status: 'match' }] },
    ]);
    expect(asked).toEqual([[connectorId, ['1']]]);
  } finally {
    await ingest.stop();
  }
});

test('without a service that reads the CRM it is 503; this process opens no credential', async () => {
  const ingest = await startIngestApi([aConnector()], { verifyWaitMs: 200 }, { verifyUnits: null });
  try {
    const answer = await getFrom(ingest)(await ended(ingest));
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toMatchObject(
      [503, '5', { detail: { error: 'service_unavailable' } }],
    );
  } finally {
    await ingest.stop();
  }
});

test('each record counts as a status read', async () => {
  const ingest = await startIngestApi([aConnector()], { rateLimitScale: 0.001 });
  try {
    const eventId = await ended(ingest);
    // There is one read: the request takes it, and its record finds none.
    expect((await getFrom(ingest)(eventId)).status).toBe(429);
  } finally {
    await ingest.stop();
  }
});
