import { type FlowBreaker, newBreaker } from '@sluice/ports';
import { flowHealth, type FlowHealthFacts, healthState } from './connector-health';

const now = Date.UTC(2026, 10, 25, 12);
const hour = 3_600_000;
const breaker = (flowName: string, over: Partial<FlowBreaker>): FlowBreaker => ({ ...newBreaker('c', flowName), ...over });
const open = (flowName: string, waitMs = 60_000) => breaker(flowName, {
  state: 'open', reason: 'fatal_streak', detail: 'HTTP 401', openedAt: now - 1_000, retryAfterAt: now + waitMs,
  cooldownMs: 300_000, opens: 2,
});
const facts = (breakers: FlowBreaker[], flows = ['orders', 'customers'], disabled: string[] = []): FlowHealthFacts =>
  ({ flows: flows.map((name) => ({ name, enabled: !disabled.includes(name) })), breakers, now, healthyResetMs: hour });

it.each([
  ['healthy: no breaker', 'active', facts([]), 'healthy'],
  ['healthy: a flow that closed again', 'active', facts([breaker('orders', { closedAt: now, opens: 1 })]), 'healthy'],
  ['degraded: one flow is open', 'active', facts([open('orders')]), 'degraded'],
  ['degraded: one flow is half open', 'active', facts([{ ...open('orders'), state: 'half_open' }]), 'degraded'],
  ['degraded: an operator stopped one', 'active', facts([breaker('orders', { forced: 'open' })]), 'degraded'],
  ['error: every flow is open inside of its wait', 'active', facts([open('orders'), open('customers')]), 'error'],
  ['error: every enabled flow is', 'active', facts([open('orders')], ['orders', 'customers'], ['customers']), 'error'],
  ['degraded: the wait of one has passed', 'active', facts([open('orders'), open('customers', -1)]), 'degraded'],
  ['healthy: an operator lets it go on', 'active', facts([{ ...open('orders'), forced: 'closed' }]), 'healthy'],
  ['healthy: an open flow that the version does not have', 'active', facts([open('removed')]), 'healthy'],
  ['error: the connector is in error', 'error', facts([]), 'error'],
  ['healthy: paused, no flow', 'paused', facts([], []), 'healthy'],
] as const)('%s', (_, status, given, expected) => {
  expect(healthState(status, given)).toBe(expected);
});

it('shows every field of a stopped flow, and none of one that is not', () => {
  expect(flowHealth('orders', facts([open('orders')]))).toEqual({
    name: 'orders', state: 'open', reason: 'fatal_streak', detail: 'HTTP 401', opened_at: '2026-11-25T11:59:59.000Z',
    retry_after_at: '2026-11-25T12:01:00.000Z', cooldown_seconds: 300, opens: 2,
  });
  const nothing = { reason: null, detail: null, opened_at: null, retry_after_at: null, cooldown_seconds: null };
  expect(flowHealth('customers', facts([]))).toEqual({ name: 'customers', state: 'closed', ...nothing, opens: 0 });
  expect(flowHealth('orders', facts([breaker('orders', { forced: 'open' })]))).toEqual({
    name: 'orders', state: 'open', ...nothing, reason: 'manual', opens: 0,
  });
});

it('is half open once its wait is over, before any event comes', () => {
  const stateOf = (waitMs: number) => flowHealth('orders', facts([open('orders', waitMs)])).state;
  expect([stateOf(1), stateOf(0), stateOf(-1)]).toEqual(['open', 'half_open', 'half_open']);
  expect(flowHealth('orders', facts([{ ...open('orders', -1), forced: 'open' }])).state).toBe('open');
});

it('counts openings since the last healthy hour', () => {
  const opens = (closedAt: number) => flowHealth('orders', facts([breaker('orders', { closedAt, opens: 3 })])).opens;
  expect([opens(now - hour + 1), opens(now - hour)]).toEqual([3, 0]);
});
