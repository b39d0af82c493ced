export { aConnector, connectorId, flowsOfTests, rawKey } from './a-connector';
