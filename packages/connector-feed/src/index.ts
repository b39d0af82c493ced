export { type ConnectorDirectory, createConnectorDirectory } from './connector-directory';
export { type ConnectorKeys, createConnectorKeys } from './connector-keys';
export { type ConnectorFeed, followConnectors, type FollowConnectorsDeps } from './follow-connectors';
export { type StoppedReason, stoppedReason } from './stopped-reason';
