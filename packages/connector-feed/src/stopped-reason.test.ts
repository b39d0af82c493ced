import { stoppedReason } from './stopped-reason';
import { aConnector } from './testing';

test.each([
  [aConnector(), null],
  [aConnector({ status: 'paused' }), 'paused'],
  [aConnector({ status: 'error' }), 'paused'],
  [aConnector({ status: 'paused', organization: { state: 'suspended' } }), 'organization_stopped'],
])('why a connector is stopped %#: %j', (state, reason) => {
  expect(stoppedReason(state)).toBe(reason);
});
