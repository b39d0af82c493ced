import type { ConnectorRow } from '@sluice/ports';
import { connectorDetailView } from './connector-view';
import type { ConnectorDeps } from './deps';
import { readFlowHealth } from './read-flow-health';

/** A connector with the health of every flow of its active version. */
export const connectorAnswer = async (deps: ConnectorDeps, connector: ConnectorRow) =>
  connectorDetailView(connector, await readFlowHealth(deps, connector));
