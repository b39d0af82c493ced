import type { CrmClient, RecordWrite, RunStore } from '@sluice/ports';
import { aSettlement, createMemoryRunStore } from '@sluice/ports/testing';
import { startTestPortal, testContext, type TestPortal } from './test-support';
import type { UnitContext } from './shared/unit-context';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

/** A portal, its store, and processes that write to it. */
async function lab() {
  portal.reset();
  const store = createMemoryRunStore();
  store.bind('c', 1);
  const ref = { topic: 'events.inbound', partition: 0 };
  const taken = await store.ownership.acquire(ref, { owner: 'lab', leaseMs: 60_000, graceMs: 0 });
  if (!taken.acquired) throw new Error('the partition is taken');
  const lease = { ...ref, epoch: taken.epoch };
  const unitAt = (offset: bigint, guarded = false): UnitContext =>
    testContext(offset, { guarded, binding: portal.binding });
  /** @param more replaces methods of the portal and the store for this process */
  const aProcess = (more: { client?: Partial<CrmClient>; store?: RunStore; sleep?(): Promise<void> } = {}) => {
    const { writer, active } = portal.writer({
      client: { ...portal.client, ...more.client },
      store: more.store ?? store,
      sleep: more.sleep ?? (() => Promise.resolve()),
    });
    return <T,>(unit: UnitContext, work: (records: ReturnType<typeof writer.recordsFor>) => Promise<T>): Promise<T> =>
      active(() => work(writer.recordsFor(unit)));
  };
  const settle = ({ effects, position }: UnitContext) =>
    store.settle([
      aSettlement(lease, {
        unit: { eventId: `evt_${position.offset}`, entityIndex: 0, run: 'first' },
        connectorId: 'c',
        verdict: { kind: 'none' },
        ...effects,
      }),
    ]);
  const left = (type: string) => {
    const state = portal.state();
    return [...state.space(state.typeNamed(type)!).store.records.values()].filter(({ archived }) => !archived);
  };
  return { store, portalId: portal.access.portalId, unitAt, aProcess, settle, left };
}

type Lab = Awaited<ReturnType<typeof lab>>;

const deal: RecordWrite = {
  entity: 'order', externalId: 'A1', objectType: 'deals', identityProperty: 'dealname', identityValue: 'A1',
  properties: { dealname: 'A1', dealstage: 'appointmentscheduled' }, onTargetDeleted: 'recreate',
};
const contact: RecordWrite = {
  ...deal, entity: 'person', objectType: 'contacts', identityProperty: 'email', identityValue: 'a@x.co',
  properties: { email: 'a@x.co' },
};
const superseded = { ok: true, value: { crm_id: null, skipped: true, reason: 'superseded' } };

/** Another event claims the record's identity, and releases it. */
async function othersClaim({ store, portalId, unitAt, settle }: Lab) {
  const key = { portalId, objectType: 'deals', property: 'dealname', value: 'A1' };
  const other = unitAt(7n);
  await store.claim([key], [{ connectorId: 'c', unit: other.unitKey }], { abandonedAfterMs: 60_000 });
  return async () => {
    other.effects.claimsReleased.push(key);
    await settle(other);
  };
}

/** Another process creates the record with one event and deletes it with another. Both are newer than the waiting one. */
async function madeAndDeleted(on: Lab, run: ReturnType<Lab['aProcess']>, write: RecordWrite): Promise<void> {
  const made = on.unitAt(8n);
  expect(await on.aProcess()(made, (records) => records.upsert(write))).toMatchObject({ value: { created: true } });
  await on.settle(made);
  const deleted = on.unitAt(9n);
  expect(await run(deleted, (records) => records.remove(write))).toMatchObject({ value: { deleted: true } });
  await on.settle(deleted);
}

describe('a late event does not create again a record that a newer one deletes while it', () => {
  it('updates the record', async () => {
    const on = await lab();
    let meanwhile = async (): Promise<unknown> => undefined;
    const batchUpdate: CrmClient['batchUpdate'] = async (...call) => {
      await meanwhile();
      return portal.client.batchUpdate(...call);
    };
    const run = on.aProcess({ client: { batchUpdate } });
    const [made, deleted] = [on.unitAt(1n), on.unitAt(9n)];
    await run(made, (records) => records.upsert(deal));
    await on.settle(made);
    meanwhile = async () => {
      await run(deleted, (records) => records.remove(deal));
      await on.settle(deleted);
    };
    expect(await run(on.unitAt(5n, true), (records) => records.upsert(deal))).toMatchObject(superseded);
    expect(on.left('deals')).toEqual([]);
  });

  it.each([
    ['upsert', 'this process'], ['upsert', 'another process'], ['create', 'this process'], ['create', 'another process'],
  ] as const)("waits for another's claim, to %s it: deleted by %s", async (how, where) => {
    const on = await lab();
    const giveUp = await othersClaim(on);
    const sleep = async (): Promise<void> => {
      await giveUp();
      await madeAndDeleted(on, where === 'this process' ? run : on.aProcess(), deal);
    };
    const run = on.aProcess({ sleep });
    const late = on.unitAt(5n, true);
    expect(await run(late, (records) => records[how](deal))).toMatchObject(superseded);
    expect(on.left('deals')).toEqual([]);
    // Not awaited.
    await on.settle(late);
    expect(await run(on.unitAt(10n), (records) => records[how](deal))).toMatchObject({ ok: true, value: { created: true } });
  });

  it.each(['upsert', 'create'] as const)('waits for the batch of its %s', async (how) => {
    const on = await lab();
    let looks = 0;
    const haveNewerRemovals: Lab['store']['haveNewerRemovals'] = async (asked) => {
      const answer = await on.store.haveNewerRemovals(asked);
      looks += 1;
      if (looks === 2) {
        const inputs = [{ traceId: 't', properties: deal.properties }];
        await portal.client.batchCreate(portal.access, 'deals', inputs, { timeoutMs: 5_000 });
        await run(on.unitAt(9n), (records) => records.remove(deal));
      }
      return answer;
    };
    const run = on.aProcess({ store: { ...on.store, haveNewerRemovals } });
    expect(await run(on.unitAt(5n, true), (records) => records[how](deal))).toMatchObject(superseded);
    expect(on.left('deals')).toEqual([]);
  });

  it.each(['this process', 'another process'])('looks for a record of a unique value: deleted by %s', async (where) => {
    const on = await lab();
    const deleter = (): ReturnType<Lab['aProcess']> => (where === 'this process' ? run : on.aProcess());
    let meanwhile: (() => Promise<void>) | null = () => madeAndDeleted(on, deleter(), contact);
    const batchRead: CrmClient['batchRead'] = async (...call) => {
      const answer = await portal.client.batchRead(...call);
      const [first, none] = [meanwhile, null];
      meanwhile = none;
      await first?.();
      return answer;
    };
    const run = on.aProcess({ client: { batchRead } });
    expect(await run(on.unitAt(5n, true), (records) => records.upsert(contact))).toMatchObject(superseded);
    expect(on.left('contacts')).toEqual([]);
  });
});

test('an event in its normal order creates a deleted record again', async () => {
  const on = await lab();
  const run = on.aProcess();
  await madeAndDeleted(on, run, deal);
  expect(await run(on.unitAt(10n), (records) => records.upsert(deal))).toMatchObject({ ok: true, value: { created: true } });
});
