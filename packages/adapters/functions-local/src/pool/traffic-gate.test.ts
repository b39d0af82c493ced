import { until } from '@sluice/ports/testing';
import { TrafficGate } from './traffic-gate';

const kib = 1024;

describe('what functions exchange with the service', () => {
  let [now, busy, resumed] = [0, true, 0];
  let gate: TrafficGate;
  beforeEach(() => {
    [now, busy, resumed] = [5_000, true, 0];
    gate = new TrafficGate({ perSecond: 64 * kib, resume: () => (resumed += 1), isBusy: () => busy, now: () => now });
  });
  afterEach(() => gate.close());

  it('is free up to a size, however many invocations there are', () => {
    for (let count = 0; count < 10_000; count += 1) gate.moved('one', 32 * kib);
    expect(gate.mustWait('one')).toBe(false);
  });

  it('delays the next invocations of its organization, and of no other one', () => {
    gate.moved('loud', (32 + 128) * kib);
    expect([gate.mustWait('loud'), gate.mustWait('quiet')]).toEqual([true, false]);
    // Two seconds of its rate, of which it may be one ahead.
    now += 999;
    expect(gate.mustWait('loud')).toBe(true);
    now += 1;
    expect(gate.mustWait('loud')).toBe(false);
  });

  it('adds up', () => {
    for (let count = 0; count < 4; count += 1) gate.moved('loud', (32 + 64) * kib);
    now += 2_999;
    expect(gate.mustWait('loud')).toBe(true);
    now += 1;
    expect(gate.mustWait('loud')).toBe(false);
  });

  it('delays nobody while the event loop has time', () => {
    gate.moved('loud', 1_024 * kib);
    busy = false;
    expect(gate.mustWait('loud')).toBe(false);
    busy = true;
    expect(gate.mustWait('loud')).toBe(true);
  });

  it('is looked at again while somebody waits', async () => {
    gate.moved('loud', 1_024 * kib);
    expect(gate.mustWait('loud')).toBe(true);
    expect(gate.mustWait('loud')).toBe(true);
    await until('it is looked at', () => resumed > 0);
    expect(resumed).toBe(1);
  });
});
