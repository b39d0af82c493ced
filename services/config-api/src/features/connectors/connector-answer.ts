import type { ConnectorRow } from '@sluice/ports';
import { journalFindings } from '../sources/journal-findings';
import { connectorDetailView } from './connector-view';
import type { ConnectorDeps } from './deps';
import { readFlowHealth } from './read-flow-health';

/** A connector with the health of every flow of its active version and the warnings that its owner has not confirmed. */
export async function connectorAnswer(deps: ConnectorDeps, connector: ConnectorRow) {
  const [health, sources] = await Promise.all([readFlowHealth(deps, connector), deps.store.sources.list(connector.id)]);
  return { ...connectorDetailView(connector, health), warnings: journalFindings(sources) };
}
