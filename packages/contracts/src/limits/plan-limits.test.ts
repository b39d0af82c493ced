import type { Tier } from '../connector-change';
import { eventRequestsPerSecond, eventsLimit, planLimits } from './plan-limits';

test('agreed limits replace the plan\'s own, null means unlimited, other names are ignored', () => {
  expect(planLimits({ tier: 'pro', limits: {} })).toEqual({
    connectors_limit: 5,
    event_sources_limit: 5,
    events_limit: 75_000,
    seats_limit: 5,
    portals_limit: 1,
    custom_object_types_limit: 0,
  });
  const limits = planLimits({ tier: 'pro', limits: { connectors_limit: 9, events_limit: null, requests_per_second_limit: 3 } });
  expect(limits).toMatchObject({ connectors_limit: 9, events_limit: null, seats_limit: 5 });
  expect(limits).not.toHaveProperty('requests_per_second_limit');
  expect(Object.values(planLimits({ tier: 'enterprise', limits: {} })).every((limit) => limit === null)).toBe(true);
  expect(planLimits({ tier: 'pro', limits: {} }).connectors_limit).toBe(5);
});

test('of every plan are those of the documentation', () => {
  const names = ['connectors', 'event_sources', 'events', 'seats', 'portals', 'custom_object_types'] as const;
  const numbers = (tier: Tier) => names.map((name) => planLimits({ tier, limits: {} })[`${name}_limit`]);
  expect(numbers('free')).toEqual([1, 4, 2_000, 1, 1, 0]);
  expect(numbers('starter')).toEqual([1, 4, 25_000, 5, 1, 0]);
  expect(numbers('pro')).toEqual([5, 5, 75_000, 5, 1, 0]);
  expect(numbers('scale')).toEqual([15, 15, 400_000, 5, 3, 5]);
  expect(numbers('trial')).toEqual([15, 15, 20_000, 5, 3, 5]);
  expect(numbers('enterprise')).toEqual([null, null, null, null, null, null]);
});

test('requests of the event plane per second follow the plan', () => {
  expect(eventRequestsPerSecond).toEqual({ free: 10, trial: 100, starter: 25, pro: 50, scale: 100, enterprise: 100 });
});

test('the limit of events alone is the one of all limits, agreed or not', () => {
  const agreements: Record<string, number | null>[] = [{}, { events_limit: 5 }, { events_limit: null }, { connectors_limit: 1 }];
  for (const tier of Object.keys(eventRequestsPerSecond) as Tier[]) {
    for (const limits of agreements) expect(eventsLimit({ tier, limits })).toBe(planLimits({ tier, limits }).events_limit);
  }
});
