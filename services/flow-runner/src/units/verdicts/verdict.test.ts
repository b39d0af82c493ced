import { parseScope } from '@sluice/ports';
import type { EventEnvelope } from '@sluice/contracts';
import type { PortalTrouble } from '@sluice/crm-writer';
import type { RunOutcome } from '@sluice/flow-engine';
import { rowId } from '../rows/record-row';
import { waitMs, type RetryPolicy } from './retry-policy';
import { unitOf, unitOfHeld, type Unit } from '../unit';
import { holdUnit, verdictOf } from './verdict';

const [ofEvent, ofFlow] = [parseScope('event:evt_1/0/first'), parseScope('flow:c:1|f')];
const [ofLane, ofConnector] = [parseScope('lane:c:1'), parseScope('connector:c')];
const policy: RetryPolicy = { attempts: 3, waitsMs: [10_000, 20_000], ceilingMs: 15_000, ttlMs: 1_000_000 };
const now = Date.parse('2026-01-01T00:00:00Z');
const lease = { topic: 'events.inbound', partition: 1, epoch: 3n };
const envelope = {
  v: 1,
  event_id: 'evt_1',
  entity_index: 0,
  entities_total: 1,
  organization_id: 'o',
  connector_id: 'c',
  revision: 1,
  source_name: 'event_api',
  source_type: 'event_api',
  event_type: 'x',
  external_id: null,
  timestamp: '2026-01-01T00:00:00Z',
  store_id: null,
  accepted_at: '2026-01-01T00:00:00.000Z',
  lane: 'c:1',
  run: 'first',
  kind: 'live',
  request_id: 'r',
} as EventEnvelope;
const fresh = unitOf(envelope, lease, 7n, null);
const heldBefore = (attempts: number, more: Partial<Unit['held'] & object> = {}): Unit => ({
  ...fresh,
  held: { ...holdUnit(fresh, { scope: ofLane, reason: 'retry', dueAt: now }), attempts, tries: attempts, ...more },
});
const facts = { flowName: 'f', configVersion: 1 };
const transient = { kind: 'transient', code: 'crm_unavailable', message: 'down' } as const;
const judge = (unit: Unit, outcome: RunOutcome, at = now, trouble: PortalTrouble | null = null): ReturnType<typeof verdictOf> =>
  verdictOf(unit, outcome, facts, policy, at, trouble);

describe('verdict of an attempt', () => {
  it('holds the lane after a transient failure, for the first wait', () => {
    expect(judge(fresh, { status: 'retry', stepId: 's', failure: transient, wrote: false })).toMatchObject({
      kind: 'hold',
      held: {
        scope: ofLane, reason: 'retry', attempts: 1, tries: 1, dueAt: now + 10_000, flowName: 'f', offset: 7n,
        lastError: 'down', lastErrorCode: 'crm_unavailable',
      },
    });
  });

  it('retries a list only when no write of it may take effect any more: it may name a record twice', () => {
    const outcome = { status: 'retry', stepId: 's', failure: transient, wrote: true } as const;
    const unanswered = { ...fresh, mayLandUntil: now + 60_000 };
    const bulk = { s: { place: 0, action: 'upsert_many', items: [] } };
    const due = (unit: Unit, more: object): unknown => verdictOf(unit, outcome, { ...facts, ...more }, policy, now);
    expect(due(unanswered, { bulk })).toMatchObject({ kind: 'hold', held: { reason: 'retry', dueAt: now + 60_000 } });
    expect(due(unanswered, { bulk: {} })).toMatchObject({ kind: 'hold', held: { dueAt: now + 10_000 } });
    expect(due(fresh, { bulk })).toMatchObject({ kind: 'hold', held: { dueAt: now + 10_000 } });
  });

  it.each([[false, 'parked'], [true, 'partial_success']])('ends used-up attempts (wrote: %s) as %s', (wrote, status) => {
    expect(judge(heldBefore(2), { status: 'retry', stepId: 's', failure: transient, wrote })).toMatchObject({
      kind: 'rows', rows: [{ status, attempts: 3, errorKind: 'transient', stepId: 's', replayable: true }],
    });
  });

  it('holds the flow of the lane on a fatal failure, for as long as it lasts', () => {
    const fatal = { status: 'hold', stepId: 's', failure: { ...transient, kind: 'fatal' as const }, wrote: false } as const;
    expect(judge(heldBefore(0, { tries: 40 }), fatal)).toMatchObject({
      kind: 'hold',
      held: { scope: ofFlow, reason: 'fatal', attempts: 0, tries: 41, dueAt: now + 15_000 },
    });
  });

  it('never moves a held event to a wider scope, where later events would overtake it', () => {
    const retry = { status: 'retry', stepId: 's', failure: transient, wrote: false } as const;
    expect(judge(heldBefore(1, { scope: ofFlow }), retry)).toMatchObject({
      held: { scope: ofFlow, reason: 'retry' },
    });
    expect(judge(heldBefore(1, { scope: ofEvent }), retry)).toMatchObject({
      held: { scope: ofEvent, reason: 'counterpart' },
    });
    expect(judge(heldBefore(1, { scope: ofConnector }), retry)).toMatchObject({ held: { scope: ofLane } });
  });

  it('holds only the event while its counterpart does not exist yet', () => {
    const aside = { status: 'aside', stepId: 's', failure: { ...transient, stepsAside: true }, wrote: true } as const;
    const verdict = judge(fresh, aside);
    expect(verdict).toMatchObject({ kind: 'hold', held: { scope: ofEvent, reason: 'counterpart', wrote: true } });
    const { held } = verdict as Extract<typeof verdict, { kind: 'hold' }>;
    expect(unitOfHeld(held, lease).envelope.kind).toBe('stepped_aside');
  });

  it('uses up no attempt while the portal has no budget', () => {
    expect(
      judge(heldBefore(2), {
        status: 'retry',
        stepId: 's',
        failure: { ...transient, code: 'portal_dry', retryAfterMs: 700 },
        wrote: false,
      }),
    ).toMatchObject({ kind: 'hold', held: { reason: 'portal_dry', attempts: 2, dueAt: now + 700 } });
  });

  it.each(['identity_unresolved', 'identity_claimed', 'identity_claim_renewed'] as const)(
    'uses up no attempt while it is unknown who created the record (%s)',
    (code) => {
      const open = { status: 'retry', stepId: 's', failure: { ...transient, code, retryAfterMs: 18_000 }, wrote: true } as const;
      expect(judge(heldBefore(2), open)).toMatchObject({
        kind: 'hold',
        held: { scope: ofLane, reason: 'retry', attempts: 2, dueAt: now + 18_000 },
      });
    },
  );

  describe('while the portal is closed', () => {
    const retry = {
      status: 'retry',
      stepId: 's',
      failure: { ...transient, code: 'crm_rate_limited', retryAfterMs: 700 },
      wrote: false,
    } as const;
    const dry = { ...retry, failure: { ...retry.failure, code: 'portal_dry' } } as const;

    it('holds an event from the log with its connector, and counts the try', () => {
      expect(judge(fresh, retry, now, 'portal_dry')).toMatchObject({
        held: { scope: ofConnector, reason: 'portal_dry', attempts: 1, dueAt: now + 10_000 },
      });
      expect(judge(fresh, dry, now, 'portal_dry')).toMatchObject({
        held: { scope: ofConnector, reason: 'portal_dry', attempts: 0, dueAt: now + 700 },
      });
    });

    it.each(['connector:c', 'lane:c:1', 'flow:c:1|f'])('leaves a held event in its scope (%s)', (name) => {
      const scope = parseScope(name);
      expect(judge(heldBefore(0, { scope }), retry, now, 'portal_unavailable')).toMatchObject({
        held: { scope, attempts: 1, dueAt: now + 10_000 },
      });
    });

    it('counts an attempt of a connector\'s event only once its own wait is over', () => {
      const connector = { scope: ofConnector, dueAt: now + 5_000 };
      expect(judge(heldBefore(1, connector), retry, now, 'portal_dry')).toMatchObject({
        held: { attempts: 1, tries: 1, dueAt: now + 5_000 },
      });
      expect(judge(heldBefore(1, connector), retry, now + 5_000, 'portal_dry')).toMatchObject({
        held: { attempts: 2, tries: 2, dueAt: now + 20_000 },
      });
      expect(judge(heldBefore(2, connector), retry, now + 5_000, 'portal_dry')).toMatchObject({
        kind: 'rows',
        rows: [{ status: 'parked', attempts: 3 }],
      });
    });

    it('changes nothing for an event that waits for another reason', () => {
      const fatal = { status: 'hold', stepId: 's', failure: { ...transient, kind: 'fatal' as const }, wrote: false } as const;
      expect(judge(fresh, fatal, now, 'portal_unavailable')).toMatchObject({ held: { scope: ofFlow, reason: 'fatal' } });
      const aside = { status: 'aside', stepId: 's', failure: { ...transient, stepsAside: true }, wrote: true } as const;
      expect(judge(fresh, aside, now, 'portal_unavailable')).toMatchObject({
        held: { scope: ofEvent, reason: 'counterpart' },
      });
    });
  });

  it('leaves a unit whose partition is lost to the next owner', () => {
    expect(judge(fresh, { status: 'retry', stepId: 's', failure: { ...transient, code: 'lease_lost' }, wrote: false })).toEqual({
      kind: 'abandon',
    });
  });

  it('ends an event that waited too long as expired', () => {
    expect(judge(fresh, { status: 'retry', stepId: 's', failure: transient, wrote: false }, now + policy.ttlMs)).toMatchObject({
      kind: 'rows',
      rows: [{ status: 'dlq', reason: 'expired' }],
    });
  });

  it('ends an event that waited too long after a write as half done', () => {
    expect(judge(fresh, { status: 'retry', stepId: 's', failure: transient, wrote: true }, now + policy.ttlMs)).toMatchObject({
      kind: 'rows',
      rows: [{ status: 'partial_success', reason: 'expired', replayable: true }],
    });
  });
});

describe('waits', () => {
  it('grow, stop at the ceiling, and are at least the Retry-After of the target', () => {
    expect([1, 2, 9].map((tries) => waitMs(policy, tries, undefined))).toEqual([10_000, 15_000, 15_000]);
    expect(waitMs(policy, 1, 60_000)).toBe(60_000);
    expect(waitMs(policy, 1, 5_000_000)).toBe(policy.ttlMs);
  });
});

describe('row ids', () => {
  const at = '2026-01-05T10:00:00.000Z';
  const later = (ms: number): string => new Date(Date.parse(at) + ms).toISOString();

  it('are the same for the same unit, and UUIDs', () => {
    expect(rowId('evt_1/0/first', at)).toBe(rowId('evt_1/0/first', at));
    expect(rowId('evt_1/0/first', at)).not.toBe(rowId('evt_1/0/replay', at));
    expect(rowId('evt_1/0/first', at)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('lie together in an index when their events were accepted together', () => {
    const startOf = (id: string): string => id.slice(0, 8);
    const [first, soon] = [rowId('evt_1/0/first', at), rowId('evt_2/0/first', later(1))];
    const next = rowId('evt_3/0/first', later(70_000));
    expect(startOf(first)).toBe(startOf(soon));
    expect(next > first && next > soon).toBe(true);
  });
});
