import { randomUUID } from 'node:crypto';
import type { ConflictRecord, PartitionLease, RunStore } from '@sluice/ports';
import { aSettlement, ownPartition } from '@sluice/ports/testing';
import { createRunStore } from '@sluice/store-postgres';
import { type Caller, startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
let owner: Caller;
let store: RunStore;
let lease: PartitionLease;
let connectorId: string;

beforeAll(async () => {
  lab = await startLab();
  owner = await lab.owner();
  store = createRunStore(lab.pool);
  lease = await ownPartition(store);
});
afterAll(() => lab.stop());
beforeEach(async () => {
  connectorId = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body.id;
});

const path = (rest = ''): string => `/api/connectors/${connectorId}/conflicts${rest}`;
const yesterday = Date.now() - 86_400_000;
const minute = (minutes: number): string => new Date(yesterday + minutes * 60_000).toISOString();

async function record(createdAt: string, more: Partial<ConflictRecord> = {}): Promise<ConflictRecord> {
  const conflict: ConflictRecord = {
    id: randomUUID(),
    connectorId,
    entityName: 'person',
    externalId: 'P-1',
    crmId: '7',
    property: 'city',
    sourceValue: 'Rome',
    targetValue: 'Bonn',
    targetModifiedAt: minute(0),
    targetModifiedBy: 'ada@example.com',
    winner: 'target',
    createdAt,
    ...more,
  };
  await store.settle([aSettlement(lease, { conflicts: [conflict] })]);
  return conflict;
}

describe('conflict records', () => {
  test('lists the conflicts newest first, page by page, narrowed, and only to their organization', async () => {
    const a = await record(minute(1));
    const b = await record(minute(2), { winner: 'source', property: 'phone', sourceValue: null });
    const first = (await owner.get(path('?limit=1')).expect(200)).body;
    expect(first.items).toEqual([
      {
        id: b.id,
        entity_name: 'person',
        external_id: 'P-1',
        crm_id: '7',
        property: 'phone',
        source_value: null,
        target_value: 'Bonn',
        target_modified_at: minute(0),
        target_modified_by: 'ada@example.com',
        winner: 'source',
        created_at: minute(2),
      },
    ]);
    const second = (await owner.get(path(`?limit=1&cursor=${first.next_cursor}`)).expect(200)).body;
    expect([second.items.map(({ id }: { id: string }) => id), second.next_cursor]).toEqual([[a.id], null]);
    const ids = async (query: string): Promise<string[]> =>
      (await owner.get(path(`?${query}`)).expect(200)).body.items.map(({ id }: { id: string }) => id);
    expect([await ids('winner=target'), await ids('property=phone'), await ids('entity=none')]).toEqual([[a.id], [b.id], []]);
    await owner.get(path('?winner=nobody')).expect(422);
    const stranger = await lab.owner();
    await stranger.get(path()).expect(404);
  });

  test('counts them, and says whether the active version looks for any', async () => {
    const count = async () => (await owner.get(path('/count')).expect(200)).body;
    expect(await count()).toEqual({ count: 0, policy_active: false, never_matched: false });
    const put = (conflicts: object) =>
      owner.put(`/api/connectors/${connectorId}/draft`, {
        version: '3.1',
        entities: [],
        flows: [],
        sources: [],
        settings: {},
        conflicts,
      });
    await put({ entities: { person: { strategy: 'target_wins' } } }).expect(200);
    expect(await count()).toMatchObject({ policy_active: false });
    await owner.post(`/api/connectors/${connectorId}/publish`).expect(200);
    expect(await count()).toEqual({ count: 0, policy_active: true, never_matched: true });
    await record(minute(1));
    expect(await count()).toEqual({ count: 1, policy_active: true, never_matched: false });
  });
});
