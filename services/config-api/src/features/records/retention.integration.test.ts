import { randomUUID } from 'node:crypto';
import type { PartitionLease, RecordRow } from '@sluice/ports';
import { aConflict, anIndexRow, aRow, aSettlement, ownPartition } from '@sluice/ports/testing';
import { createEventIndex, createRunStore } from '@sluice/store-postgres';
import { eventually } from '@sluice/testkit';
import { type Caller, startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
let owner: Caller;
let lease: PartitionLease;
let connectorId: string;

beforeAll(async () => {
  lab = await startLab({ SLUICE_PAYLOAD_RETENTION: '600', SLUICE_HISTORY_RETENTION: '1200' });
  owner = await lab.owner();
  lease = await ownPartition(createRunStore(lab.pool));
});
afterAll(() => lab.stop());
beforeEach(async () => {
  connectorId = (await owner.post('/api/connectors', { name: `Shop ${randomUUID()}` }).expect(201)).body.id;
});

const path = (rest: string): string => `/api/connectors/${connectorId}${rest}`;
const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

/** A failed record that was accepted so long ago, with its event and its payload, here or in the blob store. */
async function record(minutes: number, payloadRef: string | null = null): Promise<RecordRow> {
  const createdAt = minutesAgo(minutes);
  const unit = { eventId: `evt_${randomUUID()}`, entityIndex: 0, run: 'first' };
  const row = aRow(unit, {
    connectorId, organizationId: owner.organizationId, createdAt, completedAt: createdAt, status: 'failed', error: 'no',
    replayable: true,
  });
  const payload = payloadRef === null ? { payload: Buffer.from('{"n":1}') } : { payload: null, payloadRef, payloadBytes: 7 };
  await createEventIndex(lab.pool).write([
    anIndexRow({ ...unit, connectorId, acceptedAt: createdAt, lane: `${connectorId}:customer:C-1`, ...payload }),
  ]);
  await createRunStore(lab.pool).settle([aSettlement(lease, { unit, connectorId, verdict: { kind: 'rows', rows: [row] } })]);
  return row;
}

const recordOf = ({ id }: RecordRow) => owner.get(path(`/sync-events/${id}`));
const replay = ({ id }: RecordRow) => owner.post(path(`/sync-events/${id}/replay`));

describe('what maintenance has not deleted yet', () => {
  test('is shown without its payload past the retention of payloads, and cannot be replayed', async () => {
    const key = `payloads/${randomUUID()}.json`;
    await lab.blobs.put(key, Buffer.from('{"n":2}'));
    const [young, old, large] = [await record(9), await record(11), await record(11, key)];
    expect((await recordOf(young).expect(200)).body).toMatchObject({ payload: { n: 1 }, payload_kept: true });
    for (const row of [old, large]) {
      expect((await recordOf(row).expect(200)).body).toMatchObject({ status: 'failed', payload: null, payload_kept: false });
      expect((await replay(row).expect(409)).body.detail)
        .toEqual({ error: 'not_replayable', status: 'failed', reason: 'payload_expired' });
    }
    const { id } = (await owner.post(path('/replays'), { filter: {} }).expect(202)).body;
    await eventually(async () => expect((await owner.get(path(`/replays/${id}`))).body)
      .toMatchObject({ status: 'running', matched: 3, replayed: 1, skipped: 0, failed: 2 }));
    await replay(young).expect(409);
  });

  test('is not shown past the retention of the history: no record, timeline, error group or conflict', async () => {
    const [young, past] = [await record(19), await record(21)];
    await createRunStore(lab.pool).settle([
      aSettlement(lease, { conflicts: [19, 21].map((minutes) => aConflict({ connectorId, createdAt: minutesAgo(minutes) })) }),
    ]);
    await recordOf(young).expect(200);
    await recordOf(past).expect(404);
    await replay(past).expect(404);
    await owner.get(path(`/events/${young.unit.eventId}/timeline`)).expect(200);
    await owner.get(path(`/events/${past.unit.eventId}/timeline`)).expect(404);
    const shown = (await owner.get(path('/sync-events')).expect(200)).body.items as { id: string }[];
    expect(shown.map(({ id }) => id)).toEqual([young.id]);
    expect((await owner.get(path(`/sync-events?event_id=${past.unit.eventId}`)).expect(200)).body.items).toEqual([]);
    const summary = (await owner.get(path(`/sync-events/summary?since=${minutesAgo(60)}`)).expect(200)).body;
    expect(summary.by_status).toMatchObject({ failed: 1 });
    expect((await owner.get(path('/errors/summary')).expect(200)).body.groups).toMatchObject([{ count: 1 }]);
    expect((await owner.get(path('/conflicts')).expect(200)).body.items).toHaveLength(1);
    await owner.post(path('/replays'), { ids: [young.id] }).expect(202);
    await owner.post(path('/replays'), { ids: [past.id] }).expect(422);
  });
});
