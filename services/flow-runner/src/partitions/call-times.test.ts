import { monotonicClock } from '@sluice/ports';
import { CallTimes } from './call-times';

const minute = 60_000;

function lab() {
  const clock = { time: 5_000 };
  const calls = new CallTimes({ monotonicNow: monotonicClock(() => clock.time), leastMs: 1_000 });
  const made = (ms: number): void => {
    const ended = calls.started();
    clock.time += ms;
    ended();
  };
  return { clock, calls, made };
}

describe('how long a call may take', () => {
  it('is not known before the first one', () => {
    expect(lab().calls.expectedMs()).toBeNull();
  });

  it('is twice the longest, and the least time at least', () => {
    const { calls, made } = lab();
    made(50);
    expect(calls.expectedMs()).toBe(1_000);
    made(700);
    made(20);
    expect(calls.expectedMs()).toBe(1_400);
  });

  it('counts those under way', () => {
    const { clock, calls, made } = lab();
    calls.started();
    expect(calls.expectedMs()).toBe(1_000);
    made(50);
    clock.time += 2_950;
    expect(calls.expectedMs()).toBe(6_000);
  });

  it('forgets the longest after a minute or two in which there were others', () => {
    const { clock, calls, made } = lab();
    made(3_000);
    clock.time += minute;
    made(50);
    expect(calls.expectedMs()).toBe(6_000);
    clock.time += minute;
    made(600);
    expect(calls.expectedMs()).toBe(1_200);
  });

  it('stays known in a time without calls', () => {
    const { clock, calls, made } = lab();
    made(3_000);
    clock.time += 100 * minute;
    expect(calls.expectedMs()).toBe(6_000);
  });
});
