import type { ConnectorRow } from '@sluice/ports';
import { iso } from '../../http/iso';
import { flowHealth, type FlowHealthFacts, healthState } from './connector-health';
import { writeCapView } from './write-cap/write-cap-view';

/** A connector as lists show it: of its health the state only. */
export function connectorView(connector: ConnectorRow, facts: FlowHealthFacts) {
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
    health: { state: healthState(connector.status, facts) },
    write_cap: writeCapView(connector.writeCap),
  };
}

/** A single connector, with the state of every flow. */
export function connectorDetailView(connector: ConnectorRow, facts: FlowHealthFacts) {
  const view = connectorView(connector, facts);
  return { ...view, health: { ...view.health, flows: facts.flows.map(({ name }) => flowHealth(name, facts)) } };
}
