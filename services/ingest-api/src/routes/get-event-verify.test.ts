import { aConnector, rawKey } from '@sluice/connector-feed/testing';
import { startIngestApi } from '../test-support/start-ingest-api';

test('the route answers only for events of its connector, and requires encryption keys', async () => {
  const ingest = await startIngestApi([aConnector()], {}, { verifies: false });
  const get = (id: string) => fetch(`${ingest.url}/api/v1/events/${id}/verify`, { headers: { 'x-api-key': rawKey } });
  try {
    expect((await get('evt_nothing')).status).toBe(404);
    const { body } = await ingest.post({ event: 'contact_synced', data: {} });
    const answer = await get(body.event_id);
    expect([answer.status, await answer.json()]).toMatchObject([503, { detail: { error: 'service_unavailable' } }]);
  } finally {
    await ingest.stop();
  }
});
