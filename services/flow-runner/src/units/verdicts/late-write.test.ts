import { parseScope } from '@sluice/ports';
import { testUnit } from '../../test-support/units';
import { endingOf, untilLanded } from './late-write';
import { recordRow } from '../rows/record-row';
import { unitOfHeld, type Unit } from '../unit';
import { holdUnit, verdictOf, type Verdict } from './verdict';

const now = Date.parse('2026-01-01T00:00:00Z');
const policy = { attempts: 3, waitsMs: [10_000], ceilingMs: 15_000, ttlMs: 1_000_000 };
const facts = { flowName: 'f', configVersion: 1 };

/** A unit of lane `c:1`, taken from its held scope, with a write that may take effect until `mayLandUntil`. */
function late(mayLandUntil: number, scope?: string): Unit {
  const unit = { ...testUnit({ lane: 'c:1' }), mayLandUntil };
  if (scope === undefined) return unit;
  return unitOfHeld(holdUnit(unit, { scope: parseScope(scope), reason: 'retry', dueAt: 0 }), unit.lease);
}
const ends = (unit: Unit): Verdict => ({
  kind: 'rows',
  rows: [recordRow(unit, 2, new Date(now), { ...facts, status: 'parked' })],
});
const heldOf = (verdict: Verdict) => { if (verdict.kind !== 'hold') throw new Error(verdict.kind); return verdict.held; };

describe('a unit that ends while a write of it may still take effect', () => {
  it.each([
    [undefined, 'lane:c:1'],
    ['lane:c:1', 'lane:c:1'],
    ['connector:c', 'lane:c:1'],
    ['flow:c:1|f', 'flow:c:1|f'],
  ])('waits with its rows (held in %s: %s)', (scope, expected) => {
    const unit = late(now + 5_000, scope);
    const end = ends(unit);
    const held = heldOf(untilLanded(unit, end, 'f', now));
    expect(held).toMatchObject({
      scope: parseScope(expected),
      reason: 'late_write',
      dueAt: now + 5_000,
      mayLandUntil: now + 5_000,
      attempts: 2,
      flowName: 'f',
    });
    expect(held.ending).toEqual((end as Extract<Verdict, { kind: 'rows' }>).rows);
  });

  it('ends with these rows once the write cannot take effect any more, and not before', () => {
    const unit = late(now + 5_000);
    const end = ends(unit);
    const waiting = unitOfHeld(heldOf(untilLanded(unit, end, 'f', now)), unit.lease);
    const again = (held: Unit, at: number) => untilLanded(held, { kind: 'rows', rows: endingOf(held)! }, null, at);
    expect(again(waiting, now + 4_999)).toEqual({ kind: 'hold', held: waiting.held });
    expect(again(waiting, now + 5_000)).toEqual(end);
    const paused = unitOfHeld(holdUnit(waiting, { scope: parseScope('connector:c'), reason: 'paused', dueAt: null }), unit.lease);
    expect(again(paused, now + 5_000)).toEqual(end);
  });

  it('ends at once when no write may take effect any more, or when its lane has continued without it', () => {
    for (const unit of [late(0), late(now), late(now + 5_000, 'event:evt_1/0/first')]) {
      const end = ends(unit);
      expect(untilLanded(unit, end, 'f', now)).toBe(end);
    }
  });

  it('is run again when it has not ended', () => {
    expect(endingOf(late(now + 5_000, 'lane:c:1'))).toBeNull();
  });
});

describe('a unit that is held while a write of it may still take effect', () => {
  const failure = { kind: 'transient', code: 'crm_timeout', message: 'late' } as const;
  const judge = (unit: Unit, status: 'retry' | 'aside' | 'hold') =>
    heldOf(verdictOf(unit, { status, stepId: 's', failure, wrote: false }, facts, policy, now));

  it('waits for its next attempt no longer than usual', () => {
    expect(judge(late(now + 60_000), 'retry')).toMatchObject({
      scope: parseScope('lane:c:1'),
      reason: 'retry',
      dueAt: now + 10_000,
      mayLandUntil: now + 60_000,
    });
  });

  it.each(['aside', 'hold'] as const)('is not overtaken in its lane before that (%s)', (status) => {
    expect(judge(late(now + 60_000), status)).toMatchObject({
      scope: parseScope('lane:c:1'),
      reason: 'late_write',
      dueAt: now + 60_000,
      ending: null,
    });
    expect(judge(late(now + 4_000), status)).toMatchObject({ scope: parseScope('lane:c:1'), dueAt: now + 10_000 });
    expect(['event', 'flow']).toContain(judge(late(now), status).scope.kind);
  });

  it('waits with its connector while its portal is closed: nothing of its lane overtakes it there', () => {
    const verdict = verdictOf(
      late(now + 60_000),
      { status: 'retry', stepId: 's', failure, wrote: false },
      facts,
      policy,
      now,
      'portal_unavailable',
    );
    const scope = parseScope('connector:c');
    expect(heldOf(verdict)).toMatchObject({ scope, reason: 'portal_unavailable', mayLandUntil: now + 60_000 });
  });

  it.each([
    ['aside', 'event:evt_1/0/first'],
    ['hold', 'flow:c:1|f'],
  ] as const)('stays in its scope once others have overtaken it (%s)', (status, scope) => {
    expect(judge(late(now + 60_000, scope), status)).toMatchObject({ scope: parseScope(scope), dueAt: now + 10_000 });
  });
});
