import type { SourceReading } from '@sluice/ports';
import { lookAgainAt, planAfter, planAfterFailure, turnOf } from './next-reading';

const at = (time: string): Date => new Date(`2026-03-02T${time}Z`);
const hourly = { schedule: { cron: '0 * * * *', zone: 'UTC' } };
const always = { schedule: null };
const pace = { tickMs: 60_000, leastMs: 10_000 };
const reading = (over: Partial<SourceReading> = {}): SourceReading => ({
  type: 'poller', enabled: true, cursor: null, pollRequestedAt: null, createdAt: at('09:00:00'),
  schedule: '0 * * * * UTC', nextDueAt: at('10:00:00'), waitUntil: null, retryAfterAt: null, failures: 0, ...over,
});

test('a new source begins with the next time of its schedule, or at once without one', () => {
  const fresh = reading({ schedule: null, nextDueAt: null });
  expect(turnOf(fresh, hourly, at('09:30:00'))).toMatchObject({ kind: 'wait', until: at('10:00:00') });
  expect(turnOf(fresh, always, at('09:30:00'))).toMatchObject({ kind: 'read', tick: at('09:30:00') });
});

test('another schedule is planned anew', () => {
  const changed = { schedule: { cron: '45 * * * *', zone: 'UTC' } };
  expect(turnOf(reading(), changed, at('10:10:00'))).toMatchObject({ kind: 'wait', until: at('10:45:00') });
});

test('of ticks that were missed one is read, then the next one ahead', () => {
  const turn = turnOf(reading(), hourly, at('14:20:00'));
  expect(turn).toMatchObject({ kind: 'read', tick: at('10:00:00') });
  const after = planAfter(reading(), hourly, at('10:00:00'), at('14:20:00'), pace);
  expect(after.nextDueAt).toEqual(at('15:00:00'));
});

test('a reading that somebody asked for does not move the next tick', () => {
  const asked = reading({ pollRequestedAt: at('09:30:00') });
  expect(turnOf(asked, hourly, at('09:30:01'))).toMatchObject({ kind: 'read', tick: at('09:30:00') });
  expect(planAfter(reading(), hourly, at('09:30:00'), at('09:30:01'), pace).nextDueAt).toEqual(at('10:00:00'));
  const unscheduled = reading({ schedule: '' });
  expect(planAfter(unscheduled, always, at('09:30:00'), at('09:30:01'), pace).nextDueAt).toEqual(at('10:00:00'));
});

test('failures wait twice as long each time, up to 300 s, with the same tick; somebody who asks does not wait', () => {
  const waits: number[] = [];
  let plan = planAfterFailure(reading(), at('10:00:00'), at('10:00:00'), undefined);
  for (let count = 0; count < 10; count += 1) {
    waits.push((plan.waitUntil!.getTime() - at('10:00:00').getTime()) / 1_000);
    plan = planAfterFailure(plan, at('10:00:00'), at('10:00:00'), undefined);
  }
  expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  expect(plan.nextDueAt).toEqual(at('10:00:00'));
  const waiting = reading({ failures: 3, waitUntil: at('10:00:16') });
  expect(turnOf(waiting, hourly, at('10:00:05'))).toMatchObject({ kind: 'wait', until: at('10:00:16') });
  expect(turnOf({ ...waiting, pollRequestedAt: at('10:00:04') }, hourly, at('10:00:05')).kind).toBe('read');
  expect(turnOf(waiting, hourly, at('10:00:16')).kind).toBe('read');
});

test('what somebody asked for and failed is tried again by itself, as the same tick', () => {
  const plan = planAfterFailure(reading(), at('09:30:00'), at('09:30:01'), undefined);
  expect(turnOf(reading(plan), hourly, at('09:30:04'))).toMatchObject({ kind: 'read', tick: at('09:30:00') });
  expect(planAfter(plan, hourly, at('09:30:00'), at('09:30:04'), pace).nextDueAt).toEqual(at('10:00:00'));
});

test('what the server asked for is kept, also when somebody asks', () => {
  const plan = planAfterFailure(reading(), at('10:00:00'), at('10:00:00'), 60_000);
  expect(lookAgainAt(plan)).toEqual(at('10:01:00'));
  const refused = reading({ ...plan, pollRequestedAt: at('10:00:10') });
  expect(turnOf(refused, hourly, at('10:00:11'))).toMatchObject({ kind: 'wait', until: at('10:01:00') });
  expect(turnOf(refused, hourly, at('10:01:00')).kind).toBe('read');
});

test('a source without a schedule is read with each tick of the worker, but not more often than it may be', () => {
  const plan = planAfter(reading({ schedule: '' }), always, at('10:00:00'), at('10:00:02'), { tickMs: 1_000, leastMs: 5_000 });
  expect(plan.nextDueAt).toEqual(at('10:00:07'));
});

test('a change to daylight saving time leaves out no tick and doubles none', () => {
  const berlin = { schedule: { cron: '30 2 * * *', zone: 'Europe/Berlin' } };
  const next = (after: string): string => {
    const plan = reading({ nextDueAt: new Date(after) });
    return planAfter(plan, berlin, new Date(after), new Date(after), pace).nextDueAt!.toISOString();
  };
  // At 02:00 of the 29th of March it becomes 03:00; at 03:00 of the 25th of October it becomes 02:00.
  expect(next('2026-03-28T01:30:00Z')).toBe('2026-03-29T01:30:00.000Z');
  expect(next('2026-10-24T00:30:00Z')).toBe('2026-10-25T00:30:00.000Z');
  expect(next('2026-10-25T00:30:00Z')).toBe('2026-10-26T01:30:00.000Z');
});
