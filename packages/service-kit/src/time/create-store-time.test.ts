import fc from 'fast-check';
import { createStoreTime } from './create-store-time';

const start = 1_800_000_000_000;
const hour = 3_600_000;

/** Real time passes for the steady clock and for the database; the database's clock can be set. */
function lab() {
  let [steady, store] = [0, start];
  const time = createStoreTime({ steady: () => steady, wall: () => 5 });
  const pass = (ms: number): void => { steady += ms; store += ms; };
  return {
    time,
    pass,
    set: (byMs: number) => { store += byMs; },
    tell: () => time.told(store),
    aheadMs: () => time.now() - store,
    /** Time passes and the database answers every two seconds, as leases are renewed. */
    run: (ms: number) => {
      for (let left = ms; left > 0; left -= 2_000) {
        pass(Math.min(left, 2_000));
        time.told(store);
      }
    },
  };
}

test('tells the machine\'s time until the database has answered, then the database\'s', () => {
  const { time, tell } = lab();
  expect(time.now()).toBe(5);
  tell();
  expect(time.now()).toBe(start);
});

test('goes on between two answers, whatever is done to the wall clock', () => {
  const { time, tell, pass } = lab();
  tell();
  pass(90_000);
  expect(time.now()).toBe(start + 90_000);
});

test('adopts small corrections at once, forth and back', () => {
  for (const byMs of [1_500, -1_500]) {
    const { set, tell, aheadMs, pass } = lab();
    tell();
    pass(2_000);
    set(byMs);
    tell();
    expect(aheadMs()).toBe(0);
  }
});

test('after a step back of the database waits go on, at half the speed, until both agree', () => {
  const { time, tell, set, run, aheadMs } = lab();
  tell();
  const dueAt = time.now() + 10_000;
  set(-hour);
  tell();
  run(20_000);
  expect(time.now()).toBeGreaterThanOrEqual(dueAt);
  run(2 * hour);
  expect(aheadMs()).toBe(0);
});

test('a database that is ahead for a moment changes nothing; one that stays ahead is believed after a minute', () => {
  const { time, tell, set, run, aheadMs } = lab();
  tell();
  set(15 * 24 * hour);
  run(10_000);
  expect(time.now()).toBe(start + 10_000);
  set(-15 * 24 * hour);
  run(2_000);
  expect(aheadMs()).toBe(0);
  set(15 * 24 * hour);
  run(30_000);
  expect(time.now()).toBeLessThan(start + hour);
  run(60_000);
  expect(aheadMs()).toBe(0);
});

test('never goes back by more than the tolerance, and never runs faster than time, but for a confirmed jump', () => {
  const acts = fc.array(fc.record({ passMs: fc.nat(30_000), setMs: fc.integer({ min: -hour, max: 1_000 }), tell: fc.boolean() }));
  fc.assert(fc.property(acts, (all) => {
    const { time, tell, set, pass } = lab();
    tell();
    let before = time.now();
    for (const act of all) {
      pass(act.passMs);
      set(act.setMs);
      if (act.tell) tell();
      const now = time.now();
      expect(now).toBeGreaterThanOrEqual(before - 2_000);
      expect(now).toBeLessThanOrEqual(before + act.passMs + 2_000);
      before = now;
    }
  }));
});
