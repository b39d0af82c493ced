import type { HttpRoute } from '@sluice/service-kit';
import { deleteConnector } from './delete-connector';
import { deleteConnectorApiKey } from './delete-connector-api-key';
import type { ConnectorDeps } from './deps';
import { getConnector } from './get-connector';
import { getConnectorApiKeys } from './get-connector-api-keys';
import { getConnectors } from './get-connectors';
import { patchConnector } from './patch-connector';
import { postConnectorApiKeys } from './post-connector-api-keys';
import { postConnectors } from './post-connectors';
import { postFlowRetry } from './post-flow-retry';
import { postWriteCapRelease } from './post-write-cap-release';

/** The routes of connectors and their keys. */
export const connectorRoutes = (deps: ConnectorDeps): HttpRoute[] => [
  deleteConnectorApiKey(deps),
  deleteConnector(deps),
  getConnectorApiKeys(deps),
  getConnector(deps),
  getConnectors(deps),
  patchConnector(deps),
  postConnectorApiKeys(deps),
  postConnectors(deps),
  postFlowRetry(deps),
  postWriteCapRelease(deps),
];
