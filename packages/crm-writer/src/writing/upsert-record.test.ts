import type { CallResult, CrmRecord, RecordWrite } from '@sluice/ports';
import { turns } from '@sluice/ports/testing';
import { testContext } from '../test-support/test-context';
import { createActivity } from '../batching/activity';
import type { TimedClaim } from '../state/identity-claims';
import type { PortalSession } from '../session/portal-session';
import { createLatestWrites, type LatestWrites } from '../state/latest-writes';
import type { CreateRequest, UpdateRequest } from '../calls/record-requests';
import type { RecordCalls } from '../calls/record-calls';
import { createUpsertRecord } from './upsert-record';
import type { WriterParts } from '../state/writer-parts';

const write: RecordWrite = {
  entity: 'order',
  externalId: null,
  objectType: 'deals',
  properties: { number: 'N1' },
  identityProperty: 'number',
  identityValue: 'N1',
  onTargetDeleted: 'recreate',
};

/** An upsert by a property that is not unique; before the send it waits `waitMs` in the queue. */
function upsertAt(claim: TimedClaim, waitMs: number) {
  let now = 1_000_000;
  const sent: string[] = [];
  const create = (_type: string, _property: string, ask: CreateRequest): Promise<CallResult<CrmRecord>> => {
    now += waitMs;
    if (!ask.unit.owned()) return Promise.resolve({ ok: false, kind: 'transient', code: 'lease_lost', message: 'moved' });
    sent.push(ask.identityValue);
    return Promise.resolve({ ok: true, value: { id: '7', properties: {} } as CrmRecord });
  };
  const parts = {
    activity: createActivity(),
    claimTimes: { searchLagMs: 60_000, sendWithinMs: 10_000, landsWithinMs: 20_000, abandonedAfterMs: 120_000 },
    monotonicNow: () => now,
    sleep: () => Promise.resolve(),
    claims: { claim: () => Promise.resolve(claim), alone: <T,>(_key: unknown, work: () => Promise<T>) => work() },
    catalog: { isUnique: () => Promise.resolve({ ok: true, value: false }) },
    landed: { note: () => undefined, noteUnmapped: () => undefined },
  } as unknown as WriterParts;
  const update = (): Promise<CallResult<CrmRecord>> =>
    Promise.resolve({ ok: false, kind: 'permanent', code: 'crm_not_found', message: 'gone' });
  const calls = { create, update, search: () => Promise.resolve({ ok: true, value: [] }) } as unknown as RecordCalls;
  return { sent, upsert: createUpsertRecord(parts, { portalId: 'portal' } as PortalSession, calls).upsert };
}

describe('upsert by a claim', () => {
  it.each(['granted', 'taken_over'] as const)('creates under a claim that is %s and recent when it is sent', async (state) => {
    const { sent, upsert } = upsertAt({ state, sendBy: 1_030_000 }, 30_000);
    expect(await upsert(testContext(1n), write)).toMatchObject({ ok: true, value: { created: true, crm_id: '7' } });
    expect(sent).toEqual(['N1']);
  });

  it('sends nothing under a claim that another event may have taken over: it is released and claimed again', async () => {
    const { sent, upsert } = upsertAt({ state: 'granted', sendBy: 1_030_000 }, 30_001);
    const unit = testContext(1n);
    expect(await upsert(unit, write)).toMatchObject({ ok: false, kind: 'transient', code: 'identity_claim_renewed' });
    expect(sent).toEqual([]);
    expect(unit.effects.claimsReleased).toEqual([{ portalId: 'portal', objectType: 'deals', property: 'number', value: 'N1' }]);
  });

  it.each([
    [0, 60_000],
    [59_000, 1_000],
    [60_000, 20_000],
    [79_999, 1],
  ])('waits for its own claim of %d ms another %d ms, by the age from the store', async (ageMs, waitMs) => {
    const { sent, upsert } = upsertAt({ state: 'own', ageMs, claimedAt: 0, sendBy: 1_030_000 }, 0);
    const unit = testContext(1n);
    expect(await upsert(unit, write)).toMatchObject({
      ok: false,
      kind: 'transient',
      code: 'identity_unresolved',
      retryAfterMs: waitMs,
    });
    expect({ sent, released: unit.effects.claimsReleased }).toEqual({ sent: [], released: [] });
  });

  it('claims again once it has waited for its own claim', async () => {
    const { sent, upsert } = upsertAt({ state: 'own', ageMs: 80_000, claimedAt: 0, sendBy: 1_030_000 }, 0);
    const unit = testContext(1n);
    expect(await upsert(unit, write)).toMatchObject({ ok: false, code: 'identity_claim_renewed' });
    expect({ sent, released: unit.effects.claimsReleased.length }).toEqual({ sent: [], released: 1 });
  });

  it('releases a done claim only for the record that was deleted', async () => {
    const { upsert } = upsertAt({ state: 'done', crmId: '5', sendBy: 1_030_000 }, 0);
    const unit = testContext(1n);
    expect(await upsert(unit, write)).toMatchObject({ ok: false, code: 'identity_claim_renewed' });
    expect(unit.effects.claimsReleased).toEqual([
      { portalId: 'portal', objectType: 'deals', property: 'number', value: 'N1', crmId: '5' },
    ]);
  });

  it('leaves its claim to the next owner once the partition has moved', async () => {
    const { upsert } = upsertAt({ state: 'granted', sendBy: 1_030_000 }, 0);
    const unit = { ...testContext(1n), owned: () => false };
    expect(await upsert(unit, write)).toMatchObject({ ok: false, code: 'lease_lost' });
    expect(unit.effects.claimsReleased).toEqual([]);
  });
});

describe('an upsert that waits to be sent', () => {
  /** A write by a unique value that is sent after `meanwhile` ran. The CRM has record 7, unless `empty`. */
  function upsertAfter(meanwhile: (landed: LatestWrites) => void, { empty = false } = {}) {
    const activity = createActivity();
    const landed = createLatestWrites(
      { haveNewerWrites: (asked) => Promise.resolve(asked.map(() => false)) },
      { activity, remembered: 10 },
    );
    const record = { id: '7', properties: { number: 'N1' } } as unknown as CrmRecord;
    const sent: string[] = [];
    const write = (how: string, ask: UpdateRequest | CreateRequest): Promise<CallResult<CrmRecord>> => {
      meanwhile(landed);
      empty = false;
      if (ask.superseded?.()) return Promise.resolve({ ok: false, kind: 'permanent', code: 'superseded', message: 'overtaken' });
      sent.push(how);
      return Promise.resolve({ ok: true, value: record });
    };
    const calls = {
      read: () => Promise.resolve({ ok: true, value: empty ? null : record }),
      update: (_type: string, ask: UpdateRequest) => write('update', ask),
      upsert: (_type: string, _property: string, ask: CreateRequest) => write('upsert', ask),
    } as unknown as RecordCalls;
    const parts = {
      activity,
      landed,
      monotonicNow: () => 0,
      catalog: { isUnique: () => Promise.resolve({ ok: true, value: true }) },
    } as unknown as WriterParts;
    const { upsert } = createUpsertRecord(parts, { portalId: 'portal' } as PortalSession, calls);
    const run = (guarded: boolean) => {
      activity.enter();
      return upsert(testContext(5n, { guarded }), write1).finally(() => activity.leave());
    };
    return { sent, run };
  }
  const write1: RecordWrite = { ...write, externalId: null };
  const [byId, byValue] = [{ objectType: 'deals', crmId: '7' }, { objectType: 'deals', property: 'number', value: 'N1' }];
  const superseded = { ok: true, value: { crm_id: '7', skipped: true, reason: 'superseded' } };

  it('is left out when it is guarded and something newer was written, to an old or a new record', async () => {
    const known = upsertAfter((landed) => landed.note(testContext(9n), byId));
    expect([await known.run(true), known.sent]).toMatchObject([superseded, []]);
    const unseen = upsertAfter((landed) => landed.note(testContext(9n), byValue), { empty: true });
    expect([await unseen.run(true), unseen.sent]).toMatchObject([superseded, []]);
  });

  it('is sent when the other write is older, or when it is not guarded', async () => {
    const older = upsertAfter((landed) => landed.note(testContext(4n), byId));
    expect([await older.run(true), older.sent]).toMatchObject([{ ok: true }, ['update']]);
    const live = upsertAfter((landed) => landed.note(testContext(9n), byValue));
    expect([await live.run(false), live.sent]).toMatchObject([{ ok: true }, ['upsert']]);
  });
});

describe('a guarded write to a record that another unit is writing by its identity value', () => {
  /** Record 7 is in the CRM as soon as the newer, live unit has sent its upsert; calls are answered by `answer`. */
  function lab() {
    const activity = createActivity();
    const landed = createLatestWrites(
      { haveNewerWrites: (asked) => Promise.resolve(asked.map(() => false)) },
      { activity, remembered: 10 },
    );
    const record = { id: '7', properties: { number: 'N1' } } as unknown as CrmRecord;
    const sent: string[] = [];
    const answers: (() => void)[] = [];
    const send = (how: string, ask: UpdateRequest | CreateRequest): Promise<CallResult<CrmRecord>> => {
      if (ask.superseded?.()) return Promise.resolve({ ok: false, kind: 'permanent', code: 'superseded', message: 'overtaken' });
      sent.push(how);
      return activity.waiting(new Promise((resolve) => answers.push(() => resolve({ ok: true, value: record }))));
    };
    const calls = {
      read: () => Promise.resolve({ ok: true, value: record }),
      update: (_type: string, ask: UpdateRequest) => send('update', ask),
      upsert: (_type: string, _property: string, ask: CreateRequest) => send('upsert', ask),
    } as unknown as RecordCalls;
    const parts = {
      activity, landed, monotonicNow: () => 0, catalog: { isUnique: () => Promise.resolve({ ok: true, value: true }) },
    } as unknown as WriterParts;
    const { upsert } = createUpsertRecord(parts, { portalId: 'portal' } as PortalSession, calls);
    const run = async (offset: bigint, guarded: boolean) => {
      activity.enter();
      const ended = upsert(testContext(offset, { guarded }), write).finally(() => activity.leave());
      await turns();
      return { ended };
    };
    const answer = async () => { answers.shift()!(); await turns(); };
    return { sent, run, answer };
  }

  it('waits for its answer, and writes nothing over it', async () => {
    const { sent, run, answer } = lab();
    const newer = await run(9n, false);
    const older = await run(5n, true);
    expect(sent).toEqual(['upsert']);
    await answer();
    expect(await newer.ended).toMatchObject({ ok: true, value: { skipped: false } });
    expect(await older.ended).toMatchObject({ ok: true, value: { skipped: true, reason: 'superseded' } });
    expect(sent).toEqual(['upsert']);
  });

  it('lets the other one wait that comes later', async () => {
    const { sent, run, answer } = lab();
    const older = await run(5n, true);
    const newer = await run(9n, false);
    expect(sent).toEqual(['update']);
    await answer();
    expect(sent).toEqual(['update', 'upsert']);
    await answer();
    expect([await older.ended, await newer.ended]).toMatchObject([{ ok: true, value: { skipped: false } }, { ok: true }]);
  });
});
