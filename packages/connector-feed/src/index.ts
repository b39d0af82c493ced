export { compatKeyHash } from './compat-key-hash';
export { type ConnectorDirectory, createConnectorDirectory } from './connector-directory';
export { type ConnectorFeed, followConnectors, type FollowConnectorsDeps } from './follow-connectors';
export { type ConnectorKeys, createConnectorKeys } from './connector-keys';
export { closedReason, type StoppedReason, stoppedReason } from './stopped-reason';
export { type BreakerFeed, breakersKnownMs, eventApiAsksMs, followBreakers } from './follow-breakers';
