import { monotonicClock } from '@sluice/ports';
import fc from 'fast-check';
import { type Admission, createGates, type GatesOptions } from './gates';

const failingAfterMs = 30_000;

function lab(options: Partial<GatesOptions<string>> = {}) {
  const clock = { at: 0, refusesUntil: 0 };
  const gates = createGates({
    monotonicNow: monotonicClock(() => clock.at),
    refusesForMs: () => Math.max(0, clock.refusesUntil - clock.at),
    failingAfterMs,
    reasons: { refused: 'refused', failing: 'failing' },
    ...options,
  });
  /** Every call fails for as long as it takes to close the gate. */
  const close = (key = 'd'): void => {
    gates.apply(key, 'failed');
    clock.at += failingAfterMs;
    for (let failures = 1; failures < 10; failures += 1) gates.apply(key, 'failed');
  };
  return { clock, gates, close };
}

/** What happens to a destination: a call ends, time passes, a caller asks whether it may start or ends. */
const happening = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ kind: 'failed' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'answered' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refused' as const), forMs: fc.nat(5_000) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(20_000) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('start' as const, 'end' as const), caller: fc.nat(2) }) },
);

describe('the gates of destinations', () => {
  it('close only after ten failures and the set time without an answer; then one caller at a time starts', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 80 }), (happenings) => {
        const { clock, gates } = lab();
        const callers = Array.from({ length: 3 }, () => gates.admit('d'));
        let failedAt: number[] = [];
        let refused = false;
        let holder: Admission<string> | null = null;
        for (const it of happenings) {
          if (it.kind === 'pass') clock.at += it.ms;
          else if (it.kind === 'failed') {
            failedAt.push(clock.at);
            gates.apply('d', 'failed');
          } else if (it.kind === 'answered') {
            [failedAt, refused, holder] = [[], false, null];
            gates.apply('d', 'answered');
          } else if (it.kind === 'refused') {
            clock.refusesUntil = Math.max(clock.refusesUntil, clock.at + it.forMs);
            refused ||= clock.refusesUntil > clock.at;
            gates.apply('d', 'refused');
          } else {
            const caller = callers[it.caller]!;
            if (it.kind === 'end') {
              caller.end();
              if (holder === caller) holder = null;
            } else if (caller.room() === 1) {
              expect([null, caller]).toContain(holder);
              holder = caller;
            }
          }
          const mayFail = failedAt.length >= 10 && failedAt.at(-1)! - failedAt[0]! >= failingAfterMs;
          const inTrouble = refused || mayFail;
          const refuses = clock.refusesUntil > clock.at;
          if (!inTrouble) expect(gates.room('d')).toBe(refuses ? 0 : Infinity);
          else expect(gates.room('d')).toBeLessThanOrEqual(1);
          expect(gates.closed('d') === null).toBe(gates.room('d') > 0);
          for (const caller of callers) if (inTrouble && holder !== null && caller !== holder) expect(caller.room()).toBe(0);
        }
      }),
    );
  });

  it('wait twice as long after each failed try, and no longer than half a minute', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 20 }), (tries, failuresOfATry) => {
        const { clock, gates, close } = lab();
        close();
        for (let n = 0; n < tries; n += 1) {
          const { waitMs, reason } = gates.closed('d')!;
          expect([waitMs, reason]).toEqual([Math.min(1_000 * 2 ** n, 30_000), 'failing']);
          clock.at += waitMs - 1;
          expect(gates.room('d')).toBe(0);
          clock.at += 1;
          expect(gates.room('d')).toBe(1);
          // Calls that end together are one failed try.
          for (let failures = 0; failures < failuresOfATry; failures += 1) gates.apply('d', 'failed');
        }
        gates.apply('d', 'answered');
        expect(gates.room('d')).toBe(Infinity);
      }),
    );
  });

  it('say how soon to ask again while another caller tries', () => {
    for (const [options, waitMs] of [[{}, 2_000], [{ askAgainMs: 200 }, 200]] as const) {
      const { clock, gates, close } = lab(options);
      close();
      clock.at += 1_000;
      expect(gates.admit('d').room()).toBe(1);
      expect(gates.closed('d')).toEqual({ reason: 'failing', waitMs });
    }
  });

  it('count the time of failures from the first one, not from a refused call before it', () => {
    const { clock, gates } = lab();
    clock.refusesUntil = 1_000;
    gates.apply('d', 'refused');
    clock.at = failingAfterMs;
    for (let failures = 0; failures < 10; failures += 1) gates.apply('d', 'failed');
    expect(gates.room('d')).toBe(1);
    clock.at += failingAfterMs;
    gates.apply('d', 'failed');
    expect(gates.closed('d')).toEqual({ reason: 'failing', waitMs: 1_000 });
  });

  it('do not know each other, and let work start that needs no destination', () => {
    const { gates, close } = lab();
    close('one');
    expect([gates.room('one'), gates.room('other'), gates.room(null)]).toEqual([0, Infinity, Infinity]);
    expect([gates.closed(null), gates.admit(null).room(), gates.admit(null).trouble()]).toEqual([null, Infinity, null]);
  });

  it('are kept for ten thousand destinations in trouble: the oldest is forgotten', () => {
    const { gates, close } = lab();
    close('oldest');
    close('next');
    for (let n = 0; n < 9_999; n += 1) gates.apply(`d${n}`, 'failed');
    expect([gates.room('oldest'), gates.room('next')]).toEqual([Infinity, 0]);
  });
});
