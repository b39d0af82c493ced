import { isLaterPosition, parseScope } from '@sluice/ports';
import { testUnit } from '../test-support/units';
import { classOf, unitOfHeld, type Unit } from './unit';
import { holdUnit } from './verdicts/verdict';

/** The unit after it stepped aside and was taken from the held store, `times` times. */
function afterSteppingAside(unit: Unit, times: number): Unit {
  if (times === 0) return unit;
  const held = holdUnit(unit, { scope: parseScope('event:evt_x/0/first'), reason: 'counterpart', dueAt: 0 });
  return afterSteppingAside(unitOfHeld(held, unit.lease), times - 1);
}

describe('a unit that stepped aside', () => {
  const acceptedAt = '2026-01-01T00:00:00.000Z';

  it.each([1, 3])('is distinguished from a live one, and keeps the position where it was accepted (%d times)', (times) => {
    const unit = afterSteppingAside(testUnit(), times);
    expect(unit.envelope.kind).toBe('stepped_aside');
    expect(unit.position).toEqual({ partition: 3, offset: 7n, acceptedAt });
  });

  it.each(['replay', 'resend', 'import'] as const)('stays a %s, whose age follows from its accept time only', (kind) => {
    for (const times of [0, 1, 3]) {
      const unit = afterSteppingAside(testUnit({ kind, run: 'replay-1' }), times);
      expect(unit.envelope.kind).toBe(kind);
      expect(unit.position).toEqual({ partition: -1, offset: expect.any(BigInt) as bigint, acceptedAt });
      expect(unit.position).toEqual(testUnit({ kind, run: 'replay-1' }).position);
    }
  });
});

describe('replays of events that were accepted in the same millisecond', () => {
  const replay = { kind: 'replay', run: 'replay-1' } as const;

  it.each([
    ['of another event', { event_id: 'evt_other' }],
    ['of another record of the event', { entity_index: 1 }],
    ['of the same record, asked for again', { run: 'replay-2' }],
  ])('%s have different positions, and neither is later', (_, over) => {
    const [one, other] = [testUnit(replay).position, testUnit({ ...replay, ...over }).position];
    expect(one.offset).not.toBe(other.offset);
    expect([isLaterPosition(one, other), isLaterPosition(other, one)]).toEqual([false, false]);
  });

  it('are later than events accepted before them', () => {
    const [one, later] = ['000', '001'].map((ms) => testUnit({ ...replay, accepted_at: `2026-01-01T00:00:00.${ms}Z` }).position);
    expect([isLaterPosition(later!, one!), isLaterPosition(one!, later!)]).toEqual([true, false]);
  });
});

describe('the class of a unit', () => {
  it.each([
    ['live', 'live'], ['stepped_aside', 'live'], ['replay', 'replay'], ['resend', 'replay'], ['import', 'import'],
  ] as const)('of kind %s is %s', (kind, workClass) => {
    expect(classOf(testUnit({ kind }))).toBe(workClass);
  });

  it('is that of live events while they wait for it, and that of others for which it was hurried', () => {
    const unit = testUnit({ kind: 'import' });
    unit.hurried = 'replay';
    expect(classOf(unit)).toBe('replay');
    let awaited = true;
    unit.isAwaited = () => awaited;
    expect(classOf(unit)).toBe('live');
    awaited = false;
    expect(classOf(unit)).toBe('replay');
  });
});
