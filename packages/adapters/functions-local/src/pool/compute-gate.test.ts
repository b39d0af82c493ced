import { ComputeGate } from './compute-gate';

describe('what functions compute', () => {
  let [now, busy] = [5_000, true];
  const isBusy = (name: string): boolean => busy && name !== 'alone';
  let gate: ComputeGate;
  beforeEach(() => {
    [now, busy] = [5_000, true];
    gate = new ComputeGate({ perSecond: 100, resume: () => undefined, isBusy, now: () => now });
  });
  afterEach(() => gate.close());
  const waits = (...names: string[]): boolean[] => names.map((name) => gate.mustWait(name));

  it('delays nobody who computes for a moment now and then', () => {
    for (let second = 0; second < 60; second += 1) {
      gate.computed('calm', 95);
      expect(waits('calm')).toEqual([false]);
      now += 1_000;
    }
    gate.computed('calm', 500);
    expect(waits('calm')).toEqual([false]);
  });

  it('delays the next invocations of an organization that computes for long, and of no other one', () => {
    gate.computed('loud', 700);
    expect(waits('loud', 'quiet')).toEqual([true, false]);
    // Seven seconds of its rate, of which it may be five ahead.
    now += 1_999;
    expect(waits('loud')).toEqual([true]);
    now += 1;
    expect(waits('loud')).toEqual([false]);
  });

  it('tells who has used more than the rate, also while that is no reason to wait', () => {
    gate.computed('loud', 100);
    expect([gate.isAhead('loud'), gate.isAhead('quiet'), ...waits('loud')]).toEqual([true, false, false]);
    now += 1_000;
    expect(gate.isAhead('loud')).toBe(false);
  });

  it('delays none for longer than half a minute', () => {
    gate.computed('loud', 60_000);
    expect(gate.waitMs('loud')).toBe(30_000);
    now += 30_000;
    expect(waits('loud')).toEqual([false]);
    // It may not compute for long again.
    gate.computed('loud', 50);
    expect(gate.waitMs('loud')).toBe(500);
  });

  it('delays nobody who is alone, nor anybody while the service has time', () => {
    for (const name of ['alone', 'loud']) gate.computed(name, 5_000);
    expect(waits('alone', 'loud')).toEqual([false, true]);
    busy = false;
    expect(waits('loud')).toEqual([false]);
  });
});
