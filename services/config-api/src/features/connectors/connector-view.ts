import type { ConnectorRow } from '@sluice/ports';
import { iso } from '../../http/iso';

/** A connector as lists show it: of its health the state only. */
export function connectorView(connector: ConnectorRow) {
  return {
    id: connector.id,
    name: connector.name,
    mode: connector.mode,
    status: connector.status,
    credential_id: connector.credentialId,
    default_store_id: connector.defaultStoreId,
    created_by_id: connector.createdById,
    created_at: iso(connector.createdAt),
    updated_at: iso(connector.updatedAt),
    settings: connector.settings,
    active_version: connector.activeVersion,
    portal_id: connector.binding?.portalId ?? null,
    health: { state: connector.status === 'error' ? 'error' : 'healthy' },
    write_cap: null,
  };
}

/** A single connector, with the state of every flow. */
export function connectorDetailView(connector: ConnectorRow, flowNames: readonly string[]) {
  const view = connectorView(connector);
  const flows = flowNames.map((name) => ({
    name, state: 'closed', reason: null, detail: null, opened_at: null, retry_after_at: null, cooldown_seconds: null, opens: 0,
  }));
  return { ...view, health: { ...view.health, flows } };
}
