import { volumeLimits } from './volume-limits';

test("agreed limits replace the plan's own, other names are ignored", () => {
  expect(volumeLimits({ tier: 'free', limits: {} })).toEqual({ flows_limit: 100, steps_limit: 500, api_keys_limit: 20 });
  expect(volumeLimits({ tier: 'free', limits: { flows_limit: 7, api_keys_limit: null, connectors_limit: 3 } })).toEqual({
    flows_limit: 7,
    steps_limit: 500,
    api_keys_limit: null,
  });
  expect(volumeLimits({ tier: 'enterprise', limits: {} })).toEqual({
    flows_limit: null,
    steps_limit: null,
    api_keys_limit: 1_000,
  });
});
