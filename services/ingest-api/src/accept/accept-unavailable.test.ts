import { aConnector } from '@sluice/connector-feed/testing';
import { ingestApiOfTest } from '../test-support/ingest-api-of-test';
import { contact, order } from './test-support/requests';

const { start } = ingestApiOfTest();

describe('502 and 503', () => {
  test('503 when nothing reached the log', async () => {
    const { post, faults, messages } = await start([aConnector()]);
    faults.publish = 'refused';
    expect(await post(order)).toMatchObject({ status: 503, body: { detail: { error: 'event_ingestion_unavailable' } } });
    expect(messages()).toEqual([]);
  });

  test.each(['unknown', 'lost'] as const)(
    '502 with the event id when it is unknown whether the log has it (%s); the same key gives the same event',
    async (fate) => {
      const { post, faults } = await start([aConnector()]);
      faults.publish = fate;
      const lost = await post(order, { 'idempotency-key': 'k' });
      expect([lost.status, lost.body.detail]).toEqual([
        502,
        { error: 'event_ingestion_outcome_unknown', event_id: expect.stringMatching(/^evt_/) },
      ]);
      faults.publish = undefined;
      expect(await post(order, { 'idempotency-key': 'k' })).toMatchObject({
        status: 202,
        body: { event_id: lost.body.detail.event_id },
      });
    },
  );

  test('502 when some partitions accepted it and some did not', async () => {
    const { post, faults, messages } = await start([aConnector({ width: 24 })]);
    const first = new Set<number>();
    faults.publishTo = (partition) => (first.size === 0 || first.has(partition) ? (first.add(partition), undefined) : 'refused');
    const { status } = await post({ event: 'sync', entities: ['a', 'b', 'c', 'd', 'e'].map(contact) });
    expect([status, messages().length > 0]).toEqual([502, true]);
  });

  test('a large payload goes to the blob store first; 503 when it is down', async () => {
    const { post, faults, blobs, envelopes } = await start([aConnector()]);
    const data = { text: 'x'.repeat(300_000) };
    faults.blobsDown = true;
    expect(await post({ event: 'e', data })).toMatchObject({
      status: 503,
      body: { detail: { error: 'attachment_store_unavailable' } },
    });
    expect(envelopes()).toEqual([]);
    faults.blobsDown = false;
    await post({ event: 'e', data });
    const [envelope] = envelopes();
    expect(envelope?.payload).toBeUndefined();
    expect(JSON.parse(String(await blobs.get(envelope?.payload_ref?.key ?? '')))).toEqual(data);
    expect(envelope?.payload_ref?.bytes).toBe(JSON.stringify(data).length);
  });
});
