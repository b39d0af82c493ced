import fc from 'fast-check';
import {
  afterOutcome, claimed, closed, isHealthyAgain, isRateTooHigh, opened, rateSince, reactivated,
  retriedNow,
} from './breaker-rules';
import { type BreakerSettings, type FlowBreaker, type FlowOutcomeKind, isOpenInsideWait, newBreaker,
  stateInForce } from './flow-breaker';

const [minute, hour] = [60_000, 3_600_000];
const settings: BreakerSettings = { waitsMs: [5 * minute, 15 * minute, 45 * minute, 6 * hour], healthyResetMs: hour };
const start = Date.UTC(2026, 0, 1, 12);
const fresh = newBreaker('c', 'orders');
const after = (breaker: FlowBreaker, kinds: FlowOutcomeKind[], now = start, unit = 'u'): FlowBreaker =>
  kinds.reduce((one, kind) => afterOutcome(one, { connectorId: 'c', flowName: 'orders', kind, detail: `${kind}!`, unit }, now,
    settings), breaker);
const open = after(fresh, ['fatal', 'fatal', 'fatal']);
const halfOpen = (breaker: FlowBreaker, now: number, unit = 'recovery'): FlowBreaker => claimed(breaker, unit, now, minute)!;

describe('closed', () => {
  it('opens after 3 fatal outcomes in a row', () => {
    expect(after(fresh, ['fatal', 'fatal']).state).toBe('closed');
    expect(open).toMatchObject({
      state: 'open', reason: 'fatal_streak', detail: 'fatal!', openedAt: start, retryAfterAt: start + 5 * minute,
      cooldownMs: 5 * minute, opens: 1,
    });
  });

  it('opens after 5 records in a row that used up their attempts', () => {
    const four: FlowOutcomeKind[] = ['exhausted', 'exhausted', 'exhausted', 'exhausted'];
    expect(after(fresh, four).state).toBe('closed');
    expect(after(fresh, [...four, 'exhausted'])).toMatchObject({ state: 'open', reason: 'transient_exhausted_streak' });
  });

  it('a streak starts again only when the flow wrote', () => {
    expect(after(fresh, ['fatal', 'fatal', 'wrote', 'fatal', 'fatal']).state).toBe('closed');
    expect(after(fresh, ['fatal', 'fatal', 'passed', 'failed', 'fatal']).state).toBe('open');
  });

  it.each(['wrote', 'passed', 'failed'] as const)('never opens by %s', (kind) => {
    expect(after(fresh, Array.from({ length: 50 }, () => kind)).state).toBe('closed');
  });
});

describe('open', () => {
  it('is inside of its wait until it has passed', () => {
    expect([0, 5 * minute - 1, 5 * minute].map((ms) => isOpenInsideWait(open, start + ms))).toEqual([true, true, false]);
  });

  it('one unit is the recovery attempt once the wait has passed, and no other', () => {
    expect(claimed(open, 'u', start + 5 * minute - 1, minute)).toBeNull();
    const half = halfOpen(open, start + 5 * minute);
    expect([half.state, half.attempt]).toEqual(['half_open', { unit: 'recovery', until: start + 6 * minute }]);
    expect(claimed(half, 'another', start + 5 * minute + 1, minute)).toBeNull();
    expect(claimed(half, 'recovery', start + 5 * minute + 1, minute)).not.toBeNull();
    expect(claimed(half, 'another', start + 6 * minute, minute)?.attempt?.unit).toBe('another');
  });

  it('can be retried at once', () => {
    expect(claimed(retriedNow(open, start + 1), 'u', start + 1, minute)?.state).toBe('half_open');
    expect(retriedNow(halfOpen(open, start + 5 * minute), start + 6 * minute)).toMatchObject({ state: 'open', attempt: null });
    expect(retriedNow(fresh, start)).toEqual(fresh);
  });

  it('one that an operator opened can be retried, and is automatic from then on', () => {
    const retried = retriedNow({ ...fresh, forced: 'open' }, start);
    expect(retried).toMatchObject({ forced: null, state: 'open', reason: 'manual', openedAt: start, retryAfterAt: start });
    expect(claimed(retried, 'u', start, minute)?.state).toBe('half_open');
    expect(retriedNow({ ...open, forced: 'closed' }, start)).toMatchObject({ forced: 'closed', reason: 'fatal_streak' });
  });

  it('an activation of the connector closes it, also when an operator opened it', () => {
    expect(reactivated({ ...open, forced: 'open' }, start)).toMatchObject({ forced: null, state: 'closed', opens: 1 });
    expect(reactivated({ ...open, forced: 'closed' }, start)).toMatchObject({ forced: 'closed', state: 'closed' });
  });

  it('what other units do does not change it', () => {
    expect(after(open, ['wrote', 'passed', 'failed']).state).toBe('open');
  });
});

describe('half open', () => {
  const half = halfOpen(open, start + 5 * minute);
  it.each(['wrote', 'passed'] as const)('closes when the recovery attempt %s', (kind) => {
    const now = start + 6 * minute;
    expect(after(half, [kind], now, 'recovery')).toMatchObject({ state: 'closed', reason: null, closedAt: now, opens: 1,
      fatalStreak: 0 });
  });

  it.each(['fatal', 'exhausted', 'failed'] as const)('opens for longer when it %s', (kind) => {
    const now = start + 6 * minute;
    expect(after(half, [kind], now, 'recovery')).toMatchObject({
      state: 'open', reason: 'fatal_streak', openedAt: now, opens: 2, cooldownMs: 15 * minute, retryAfterAt: now + 15 * minute,
    });
  });

  it('gives its turn to another event when it is undecided', () => {
    const now = start + 6 * minute;
    const after6 = after(half, ['undecided'], now, 'recovery');
    expect(after6).toMatchObject({ state: 'open', attempt: null, opens: 1 });
    expect(claimed(after6, 'another', now, minute)?.attempt?.unit).toBe('another');
  });

  it('an older attempt that ends late decides nothing', () => {
    expect(after(half, ['wrote'], start + 6 * minute, 'older').state).toBe('half_open');
    expect(after(half, ['fatal'], start + 6 * minute, 'older').state).toBe('half_open');
  });

  it('waits 5, 15, 45 minutes, then 6 hours each time', () => {
    let breaker = open;
    const waits = [breaker.cooldownMs];
    for (let round = 0; round < 5; round += 1) {
      const now = breaker.retryAfterAt!;
      breaker = after(halfOpen(breaker, now), ['fatal'], now, 'recovery');
      waits.push(breaker.cooldownMs);
    }
    expect(waits.map((ms) => ms! / minute)).toEqual([5, 15, 45, 360, 360, 360]);
  });
});

describe('health', () => {
  const closedAt = start + 6 * minute;
  const recovered = after(halfOpen(open, closedAt), ['wrote'], closedAt, 'recovery');
  it('one healthy hour starts the waits again', () => {
    const again = (now: number) => after(recovered, ['fatal', 'fatal', 'fatal'], now).opens;
    expect([again(closedAt + hour - 1), again(closedAt + hour)]).toEqual([2, 1]);
    expect(isHealthyAgain(recovered, closedAt + hour, hour)).toBe(true);
  });

  it('closing a closed one changes not when it closed', () => {
    expect(closed(recovered, closedAt + 5)).toEqual(recovered);
  });
});

describe('the failure rate', () => {
  it.each([
    [{ fatal: 10, executions: 20 }, false], [{ fatal: 11, executions: 20 }, true], [{ fatal: 19, executions: 19 }, false],
  ])('of %j is too high: %s', (counts, expected) => {
    expect(isRateTooHigh(counts)).toBe(expected);
  });

  it('counts two hours, and nothing up to and including the hour in which the breaker closed', () => {
    expect(rateSince(fresh, start)).toBe(start - 2 * hour);
    const breaker = { ...fresh, closedAt: start - 30 * minute };
    expect(rateSince(breaker, start + 10 * minute)).toBe(start);
    expect(rateSince({ ...fresh, closedAt: start - 5 * hour }, start)).toBe(start - 2 * hour);
  });
});

describe('what an operator forces', () => {
  it('is in force whatever the state is, and nothing automatic changes it', () => {
    const forcedOpen: FlowBreaker = { ...fresh, forced: 'open' };
    const forcedClosed: FlowBreaker = { ...open, forced: 'closed' };
    expect([stateInForce(forcedOpen), stateInForce(forcedClosed)]).toEqual(['open', 'closed']);
    expect([isOpenInsideWait(forcedOpen, start), isOpenInsideWait(forcedClosed, start)]).toEqual([true, false]);
    expect(claimed({ ...open, forced: 'open' }, 'u', start + hour, minute)).toBeNull();
    expect(stateInForce(after(forcedOpen, ['wrote']))).toBe('open');
    expect(stateInForce(after(forcedClosed, ['fatal', 'fatal', 'fatal']))).toBe('closed');
    expect(stateInForce(closed(forcedOpen, start))).toBe('open');
  });
});

it('whatever happens, a wait is one of the setting\'s, and an open breaker has one', () => {
  const kinds = fc.constantFrom<FlowOutcomeKind>('wrote', 'fatal', 'exhausted', 'failed', 'passed', 'undecided');
  const acts = fc.array(fc.record({ kind: kinds, passMs: fc.nat(2 * hour), claim: fc.boolean(), mine: fc.boolean() }));
  fc.assert(fc.property(acts, (all) => {
    let [breaker, now] = [fresh, start];
    for (const { kind, passMs, claim, mine } of all) {
      now += passMs;
      if (claim) breaker = claimed(breaker, 'recovery', now, minute) ?? breaker;
      breaker = after(breaker, [kind], now, mine ? 'recovery' : 'other');
      if (breaker.state === 'closed') expect([breaker.retryAfterAt, breaker.reason]).toEqual([null, null]);
      else {
        expect(settings.waitsMs).toContain(breaker.cooldownMs);
        expect(breaker.opens).toBeGreaterThan(0);
        expect(breaker.retryAfterAt! - breaker.cooldownMs!).toBeLessThanOrEqual(now);
      }
      if (breaker.state !== 'half_open') expect(breaker.attempt).toBeNull();
    }
  }));
});
it('an opening has its own time, of which its wait is counted', () => {
  const again = opened(open, 'failure_rate', 'x', start + minute, settings);
  expect(again).toMatchObject({ openedAt: start + minute, reason: 'failure_rate' });
  expect(again.retryAfterAt! - again.openedAt!).toBe(again.cooldownMs);
});
