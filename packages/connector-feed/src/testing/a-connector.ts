import type { ConnectorChange, FlowIndexEntry } from '@sluice/contracts';
import { sha256Hex } from '@sluice/service-kit';

export const connectorId = '5f0c1c9e-0000-4000-8000-000000000001';
export const rawKey = 'slc_test-key';

/** The flows of every version there is, unless a test says otherwise. */
export const flowsOfTests: FlowIndexEntry[] = [
  { name: 'orders', source: 'shop', source_type: 'event_api', event_type: 'order.*', enabled: true },
  { name: 'contacts', source: 'shop', source_type: 'event_api', event_type: 'contact_synced', enabled: true },
  { name: 'returns', source: 'shop', source_type: 'event_api', event_type: 'return.created', enabled: false },
];

/** A live connector of an enterprise organization with one key and a published version. */
export function aConnector(
  changes: Partial<Omit<ConnectorChange, 'organization'>> & { organization?: Partial<ConnectorChange['organization']> } = {},
): ConnectorChange {
  return {
    v: 1,
    connector_id: connectorId,
    organization_id: '0a000000-0000-4000-8000-000000000001',
    revision: 1,
    deleted: false,
    name: 'Shop',
    status: 'active',
    default_store_id: null,
    ordering: 'record',
    width: 1,
    keys: [{ id: 'k1', hash: sha256Hex(rawKey), expires_at: null }],
    active_version: 1,
    binding: null,
    ...changes,
    organization: { tier: 'enterprise', state: 'active', per_record_ordering: false, limits: {}, ...changes.organization },
  };
}
