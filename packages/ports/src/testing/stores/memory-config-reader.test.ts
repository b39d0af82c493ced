import { randomUUID } from 'node:crypto';
import type { FlowIndexEntry } from '@sluice/contracts';
import { configReaderConformance } from './config-reader-conformance';
import { createMemoryConfigReader } from './memory-config-reader';

configReaderConformance('the config reader in memory', async () => {
  const reader = createMemoryConfigReader();
  const [id, refreshable, fixed] = [randomUUID(), randomUUID(), randomUUID()];
  const config = {
    version: '3.0', sources: [{ name: 'hook', type: 'webhook', config: {} }], flows: [], entities: [],
    ingress_profile: { auth_header: 'X-Key', routes: [{ path: 'orders', event: 'order' }] },
  };
  const flows: FlowIndexEntry[] = [
    { name: 'orders', source: 'shop', source_type: 'event_api', event_type: 'order.*', enabled: true },
  ];
  reader.putVersion(id, 1, config, flows);
  reader.putConnector({
    v: 1,
    connector_id: id,
    organization_id: randomUUID(),
    revision: 1,
    deleted: false,
    name: 'Shop',
    status: 'active',
    default_store_id: null,
    organization: { tier: 'free', state: 'active', per_record_ordering: false, limits: {} },
    ordering: 'record',
    width: 1,
    keys: [{ id: randomUUID(), hash: 'hash', expires_at: null }],
    active_version: 1,
    flows: [],
    binding: null,
  });
  const organization = { id: randomUUID() };
  reader.putSourceCredential(organization.id, 'erp', {
    type: 'api_key', data: { value: 'secret' }, allowedHosts: ['erp.example'],
  });
  const state = { rotatedAt: null, cursor: null, lastEventAt: null, lastPollAt: null, lastError: null };
  reader.putSources(id, [{ name: 'hook', type: 'webhook', enabled: true, sealed: 'sealed', ...state }]);
  const access = { portalId: '1', accessToken: 'access-1', expiresAt: null };
  reader.putCredential({ ...access, credentialId: refreshable, refreshToken: 'refresh-1' });
  reader.putCredential({ ...access, credentialId: fixed, refreshToken: null });
  return {
    reader,
    connector: { id, keyHash: 'hash', config, flows },
    refreshable: { id: refreshable, portalId: '1' },
    fixed: { id: fixed },
    organization,
    close: async () => undefined,
  };
});
