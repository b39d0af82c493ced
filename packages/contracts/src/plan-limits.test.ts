import { eventRequestsPerSecond, planLimits } from './plan-limits';

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

test('requests of the event plane per second follow the plan', () => {
  expect(eventRequestsPerSecond).toEqual({ free: 10, trial: 100, starter: 25, pro: 50, scale: 100, enterprise: 100 });
});
