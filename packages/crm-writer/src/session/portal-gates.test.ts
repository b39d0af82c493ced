import { monotonicClock } from '@sluice/ports';
import { createPortalGates, portalAnswer } from './portal-gates';

function lab() {
  const clock = { at: 1_000_000, dryUntil: 0 };
  const gates = createPortalGates({
    monotonicNow: monotonicClock(() => clock.at),
    dryForMs: () => Math.max(0, clock.dryUntil - clock.at),
    failingAfterMs: 30_000,
  });
  const fail = (times: number, overMs: number): void => {
    for (let n = 0; n < times; n += 1) {
      gates.apply('p', 'failed');
      if (n < times - 1) clock.at += Math.floor(overMs / (times - 1));
    }
  };
  return { clock, gates, fail };
}

describe('the gate of a portal', () => {
  it('closes after every call failed for the set time, ten calls at least', () => {
    const { gates, fail } = lab();
    fail(9, 64_000);
    expect(gates.room('p')).toBe(Infinity);
    fail(1, 0);
    expect(gates.closed('p')).toEqual({ reason: 'portal_unavailable', waitMs: 1_000 });
    expect([gates.room('p'), gates.room('other'), gates.room(null)]).toEqual([0, Infinity, Infinity]);
  });

  it('stays open while failures are recent, and while calls succeed between them', () => {
    const { clock, gates, fail } = lab();
    fail(500, 29_000);
    expect(gates.room('p')).toBe(Infinity);
    gates.apply('p', 'answered');
    clock.at += 1_000;
    fail(500, 29_000);
    expect(gates.room('p')).toBe(Infinity);
  });

  it('lets one try at a time, after growing waits, and opens with the first answer', () => {
    const { clock, gates, fail } = lab();
    fail(10, 36_000);
    const [first, second] = [gates.admit('p'), gates.admit('p')];
    const waits: number[] = [];
    for (let n = 0; n < 7; n += 1) {
      const { waitMs } = gates.closed('p')!;
      waits.push(waitMs);
      clock.at += waitMs;
      expect([gates.room('p'), first.room(), second.room(), gates.room('p')]).toEqual([1, 1, 0, 0]);
      expect([first.trouble(), second.trouble()]).toEqual([null, 'portal_unavailable']);
      gates.apply('p', 'failed');
      expect([first.room(), first.trouble()]).toEqual([0, 'portal_unavailable']);
      first.end();
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    gates.apply('p', 'answered');
    expect([first.room(), second.room()]).toEqual([Infinity, Infinity]);
  });

  it('gives the try to the next unit when its holder has ended', () => {
    const { clock, gates, fail } = lab();
    fail(10, 36_000);
    clock.at += 1_000;
    const [first, second] = [gates.admit('p'), gates.admit('p')];
    first.room();
    first.end();
    expect([second.room(), first.room()]).toEqual([1, 0]);
  });

  it('does not count calls that were under way when it closed as tries', () => {
    const { gates, fail } = lab();
    fail(10, 36_000);
    fail(100, 0);
    expect(gates.closed('p')).toEqual({ reason: 'portal_unavailable', waitMs: 1_000 });
  });

  it('is closed while the portal is dry, then one unit tries', () => {
    const { clock, gates } = lab();
    clock.dryUntil = clock.at + 9_000;
    gates.apply('p', 'refused');
    const [first, second] = [gates.admit('p'), gates.admit('p')];
    expect([gates.closed('p'), first.room(), first.trouble()]).toEqual([
      { reason: 'portal_dry', waitMs: 9_000 },
      0,
      'portal_dry',
    ]);
    clock.at += 9_000;
    expect([first.room(), second.room()]).toEqual([1, 0]);
    gates.apply('p', 'answered');
    expect(second.room()).toBe(Infinity);
  });

  it('is not closed by a limit of searches alone', () => {
    const { gates } = lab();
    gates.apply('p', 'refused');
    expect(gates.room('p')).toBe(Infinity);
  });
});

test.each([
  [{ status: 200, failure: null }, 'answered'],
  [{ status: 400, failure: 'permanent' }, 'answered'],
  [{ status: 401, failure: 'fatal' }, 'answered'],
  [{ status: 503, failure: 'transient' }, 'failed'],
  [{ status: 0, failure: 'transient' }, 'failed'],
  [{ status: 429, failure: 'transient' }, 'refused'],
] as const)('a call that ended %j shows that its portal %s', (call, answer) => {
  expect(portalAnswer(call)).toBe(answer);
});
