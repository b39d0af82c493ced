import { noteAudit } from '../../config-store/audit-scope';
import type { Attachment, ConnectorRefusal, InstallRefusal, InstallStore } from '../../config-store';
import { createMemoryConnectors, createMemoryCredentials } from './memory-config-connectors';
import type { MemoryInstall } from './memory-config-rows';
import { copy, liveConnector, type MemoryConfigState } from './memory-config-state';

/** Installs of the twin. */
export function createMemoryInstalls(state: MemoryConfigState): InstallStore {
  const [connectors, credentials] = [createMemoryConnectors(state), createMemoryCredentials(state)];
  const find = (tokenHash: string): { ok: true; install: MemoryInstall } | InstallRefusal => {
    const install = state.installs.get(tokenHash);
    if (!install) return { ok: false, reason: 'install_not_found' };
    if (install.consumed) return { ok: false, reason: 'install_consumed' };
    return install.expiresAt <= new Date() ? { ok: false, reason: 'install_expired' } : { ok: true, install };
  };
  return {
    async add({ tokenHash, ttlMs, ...install }) {
      state.installs.set(tokenHash, { ...copy(install), expiresAt: new Date(Date.now() + ttlMs), consumed: false });
    },
    async find(tokenHash) {
      const found = find(tokenHash);
      if (!found.ok) return found;
      const { expiresAt: _, consumed: __, ...install } = copy(found.install);
      return { ok: true, install };
    },
    async attach({ tokenHash, credential, connector }) {
      const found = find(tokenHash);
      if (!found.ok) return { ok: false, of: 'install', refusal: found };
      const refusal = connector && connectorRefusal(state, credential, connector);
      if (refusal) return { ok: false, of: 'connector', refusal };
      found.install.consumed = true;
      const created = await credentials.create(credential);
      found.install.consumed = created.ok;
      if (!created.ok) return { ok: false, of: 'credential', refusal: created };
      noteAudit({ targetId: credential.id });
      if (connector === null) return { ok: true, credential: created.credential, connector: null };
      const patch = { ...connector, credentialId: credential.id };
      const bound = await connectors.update(credential.organizationId, connector.id, patch);
      if (!bound.ok) throw new Error(`an attached connector cannot be bound: ${bound.reason}`);
      return { ok: true, credential: created.credential, connector: bound.connector };
    },
    async sweep(before) {
      for (const [hash, { expiresAt }] of state.installs) if (expiresAt < before) state.installs.delete(hash);
    },
  };
}

/** Why the connector cannot be bound to the portal, before anything has changed. */
function connectorRefusal(
  state: MemoryConfigState,
  { organizationId, portalId = null }: Attachment['credential'],
  { id, confirmRebind }: NonNullable<Attachment['connector']>,
): ConnectorRefusal | null {
  const connector = liveConnector(state, id);
  if (connector?.row.organizationId !== organizationId) return { ok: false, reason: 'not_found' };
  const { epochPortalId: oldPortalId, mappings, row } = connector;
  const leaves = oldPortalId !== null && oldPortalId !== portalId;
  if (!leaves || confirmRebind || (row.credentialId === null && mappings.size === 0)) return null;
  return { ok: false, reason: 'rebind_confirmation_required', oldPortalId, newPortalId: portalId, mappings: mappings.size };
}
