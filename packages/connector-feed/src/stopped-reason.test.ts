import { closedReason, stoppedReason } from './stopped-reason';
import { aConnector } from './testing';

test.each([
  [aConnector(), null],
  [aConnector({ status: 'paused' }), 'paused'],
  [aConnector({ status: 'error' }), 'paused'],
  [aConnector({ status: 'paused', organization: { state: 'suspended' } }), 'organization_stopped'],
])('why a connector is stopped %#: %j', (state, reason) => {
  expect([stoppedReason(state), closedReason(state)]).toEqual([reason, reason]);
});

test.each([
  ['armed', 'active', null, null],
  ['armed', 'paused', 'paused', 'paused'],
  ['tripped', 'paused', 'write_cap', 'write_cap'],
  ['tripped', 'error', 'write_cap', 'write_cap'],
  ['releasing', 'paused', null, 'write_cap'],
  ['settling', 'error', null, 'write_cap'],
  ['released', 'active', null, null],
  ['released', 'paused', 'paused', 'paused'],
] as const)('a write cap %s, status %s: what waits is stopped by %s, what is new by %s', (cap, status, stopped, closed) => {
  const connector = aConnector({ write_cap: cap, status });
  expect([stoppedReason(connector), closedReason(connector)]).toEqual([stopped, closed]);
  const suspended = aConnector({ write_cap: cap, status, organization: { state: 'suspended' } });
  expect([stoppedReason(suspended), closedReason(suspended)]).toEqual(['organization_stopped', 'organization_stopped']);
});
