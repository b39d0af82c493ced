import type { ConfigDocument } from '@sluice/contracts';
import type { ConnectorRow } from '@sluice/ports';
import type { ConnectorDeps } from './deps';
import { connectorDetailView } from './connector-view';

/** A connector with the health of every flow of its active version. */
export async function connectorAnswer({ store }: ConnectorDeps, connector: ConnectorRow) {
  const active = connector.activeVersion === null ? null : await store.drafts.version(connector.id, connector.activeVersion);
  const flows = (active?.config as ConfigDocument | undefined)?.flows ?? [];
  return connectorDetailView(connector, flows.map(({ name }) => name));
}
