import { randomUUID } from 'node:crypto';
import { orderingOf } from '@sluice/contracts';
import { noteAudit } from '../../config-store/audit-scope';
import { type ConnectorStore, type CredentialStore, statusRefusal } from '../../config-store';
import type { MemoryConnector } from './memory-config-rows';
import { addKey, announce, connectorRowOf, connectorsOf, keysOf, liveConnector, pageOf, type MemoryConfigState } from './memory-config-state';
import { copy } from '../shared/memory-copy';
import { tearDownAll } from '../shared/memory-plugin-state';

interface Portal {
  credentialId: string;
  portalId: string;
}

/** The portal a connector acts on: that of its own credential, else the organization's only one. */
function portalOf(state: MemoryConfigState, organizationId: string, credentialId: string | null): Portal | null {
  const all = [...state.credentials.values()]
    .filter((one) => one.organizationId === organizationId && one.row.credentialType === 'crm_oauth')
    .flatMap(({ row }) => (row.portalId === null ? [] : [{ credentialId: row.id, portalId: row.portalId }]))
    .reverse();
  if (credentialId !== null) return all.find((portal) => portal.credentialId === credentialId) ?? null;
  return new Set(all.map(({ portalId }) => portalId)).size === 1 ? all[0]! : null;
}

/** Puts a portal in force; another one than the last raises the epoch, and the mappings go. Answers whether anything changed. */
function bind(connector: MemoryConnector, portal: Portal | null): boolean {
  const { binding } = connector.row;
  if (
    (binding?.credentialId ?? null) === (portal?.credentialId ?? null) &&
    (binding?.portalId ?? null) === (portal?.portalId ?? null)
  )
    return false;
  if (portal && portal.portalId !== connector.epochPortalId)
    Object.assign(connector, { epoch: connector.epoch + 1, epochPortalId: portal.portalId, mappings: new Map() });
  connector.row.binding = portal && { ...portal, epoch: connector.epoch };
  return true;
}

/**
 * After an organization's credentials changed. A connector without one of its own never drifts to another portal while it holds
 * mappings.
 */
function rebindAll(state: MemoryConfigState, organizationId: string): MemoryConnector[] {
  return connectorsOf(state, organizationId).filter((connector) => {
    const portal = portalOf(state, organizationId, connector.row.credentialId);
    const drifts =
      portal !== null &&
      connector.row.credentialId === null &&
      connector.epochPortalId !== null &&
      connector.epochPortalId !== portal.portalId;
    return bind(connector, drifts && connector.mappings.size > 0 ? null : portal);
  });
}

/** Connectors of the twin. */
export function createMemoryConnectors(state: MemoryConfigState): ConnectorStore {
  const owned = (organizationId: string, id: string): MemoryConnector | undefined => {
    const connector = liveConnector(state, id);
    return connector?.row.organizationId === organizationId ? connector : undefined;
  };
  return {
    async create({ organizationId, name, mode, credentialId, createdById, apiKey, connectorsLimit, draft }) {
      if (!state.organizations.has(organizationId)) return { ok: false, reason: 'not_found' };
      const usage = connectorsOf(state, organizationId).length;
      if (connectorsLimit !== null && usage >= connectorsLimit) return { ok: false, reason: 'limit_reached', usage };
      const portal = portalOf(state, organizationId, credentialId);
      if (credentialId !== null && portal === null) return { ok: false, reason: 'bad_credential' };
      const [id, at] = [randomUUID(), new Date()];
      const key = apiKey && addKey(state.connectorKeys, id, apiKey);
      noteAudit({ targetId: id });
      const connector: MemoryConnector = {
        row: {
          id,
          organizationId,
          name,
          mode,
          status: 'active',
          credentialId,
          defaultStoreId: null,
          settings: {},
          createdById,
          createdAt: at,
          updatedAt: at,
          activeVersion: null,
          binding: null,
          writeCap: null,
        },
        revision: 0,
        orderingEpoch: 0,
        width: { width: 1, before: 1, from: null },
        epoch: 0,
        epochPortalId: null,
        deleted: false,
        sources: new Map(),
        mappings: new Map(),
        mappingsRemoved: 0,
        pluginsRevision: 0,
      };
      bind(connector, portal);
      state.connectors.set(id, connector);
      if (draft) state.drafts.set(id, { ...copy(draft), baseVersion: 0, draftVersion: 1, updatedAt: at });
      announce(state, [connector]);
      return { ok: true, connector: connectorRowOf(state, connector), apiKey: key };
    },
    list: async (organizationId, page) =>
      pageOf(connectorsOf(state, organizationId).map((one) => connectorRowOf(state, one)), page),
    get: async (organizationId, id) => {
      const connector = owned(organizationId, id);
      return connector ? connectorRowOf(state, connector) : null;
    },
    async update(organizationId, id, { confirmRebind = false, updatedById: _updatedById, ...patch }) {
      const connector = owned(organizationId, id);
      if (!connector) return { ok: false, reason: 'not_found' };
      const capRefusal = patch.status === undefined ? null : statusRefusal(state.writeCaps.of(id)?.state ?? null);
      if (capRefusal) return { ok: false, reason: capRefusal };
      if (patch.credentialId !== undefined && patch.credentialId !== connector.row.credentialId) {
        const portal = portalOf(state, organizationId, patch.credentialId);
        if (patch.credentialId !== null && portal === null) return { ok: false, reason: 'bad_credential' };
        const leaves = portal !== null && connector.epochPortalId !== null && connector.epochPortalId !== portal.portalId;
        if (leaves && (connector.row.credentialId !== null || connector.mappings.size > 0) && !confirmRebind) {
          return {
            ok: false,
            reason: 'rebind_confirmation_required',
            oldPortalId: connector.epochPortalId,
            newPortalId: portal.portalId,
            mappings: connector.mappings.size,
          };
        }
        bind(connector, portal);
      }
      const orderingBefore = orderingOf(connector.row.settings);
      if (patch.settings !== undefined && orderingOf(patch.settings) !== orderingBefore) connector.orderingEpoch += 1;
      Object.assign(connector.row, copy(Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))), {
        updatedAt: new Date(),
      });
      announce(state, [connector]);
      return { ok: true, connector: connectorRowOf(state, connector), orderingBefore };
    },
    async releaseWriteCap(organizationId, id) {
      const connector = owned(organizationId, id);
      if (!connector) return { ok: false, reason: 'not_found' };
      if (!state.writeCaps.release(id)) return { ok: false, reason: 'write_cap_not_tripped' };
      return { ok: true, connector: connectorRowOf(state, connector) };
    },
    async raiseWidth(id, width, leadMs) {
      const connector = liveConnector(state, id);
      if (!connector) return { ok: false, reason: 'not_found' };
      noteAudit({ organizationIds: [connector.row.organizationId] });
      const known = connector.width;
      if (width < known.width) return { ok: false, reason: 'narrower', width: copy(known) };
      if (width === known.width) return { ok: true, width: copy(known) };
      const now = Date.now();
      if (known.from && known.from.getTime() > now) return { ok: false, reason: 'pending', width: copy(known) };
      Object.assign(connector, {
        width: { width, before: known.width, from: new Date(now + leadMs) }, orderingEpoch: connector.orderingEpoch + 1,
      });
      announce(state, [connector]);
      return { ok: true, width: copy(connector.width) };
    },
    async delete(organizationId, id) {
      const connector = owned(organizationId, id);
      if (!connector) return false;
      connector.deleted = true;
      state.writeCaps.remove(id);
      tearDownAll(state.plugins, id, connector.row.activeVersion);
      announce(state, [connector]);
      return true;
    },
    async createKey(connectorId, key) {
      const connector = liveConnector(state, connectorId);
      if (!connector) return null;
      const row = addKey(state.connectorKeys, connectorId, key);
      announce(state, [connector]);
      return row;
    },
    keys: async (connectorId, page) => pageOf(keysOf(state.connectorKeys, connectorId), page),
    async revokeKey(connectorId, keyId) {
      const [connector, key] = [liveConnector(state, connectorId), state.connectorKeys.get(keyId)];
      if (!connector || key?.ownerId !== connectorId) return false;
      if (key.row.revokedAt !== null) return true;
      key.row.revokedAt = new Date();
      announce(state, [connector]);
      return true;
    },
    async noteKeyUse(uses) {
      for (const { hash, at } of uses) {
        const key = [...state.connectorKeys.values()].find((one) => one.hash === hash);
        if (key && (key.row.lastUsedAt === null || key.row.lastUsedAt < at)) key.row.lastUsedAt = at;
      }
    },
  };
}

/** Credentials of the twin. */
export function createMemoryCredentials(state: MemoryConfigState): CredentialStore {
  const of = (organizationId: string) => [...state.credentials.values()].filter((one) => one.organizationId === organizationId);
  const connectorSide = (organizationId: string) => of(organizationId).filter(({ row }) => row.credentialType !== 'crm_oauth');
  const owned = (organizationId: string, id: string) => of(organizationId).find(({ row }) => row.id === id);
  return {
    async create({
      id, organizationId, name, credentialType, sealed, portalId = null, scopes = [], allowedHosts = null, portalsLimit,
    }) {
      if (!state.organizations.has(organizationId)) return { ok: false, reason: 'not_found' };
      const portals = new Set(of(organizationId).flatMap(({ row }) => (row.portalId === null ? [] : [row.portalId])));
      if (portalId !== null && portalsLimit !== null && !portals.has(portalId) && portals.size >= portalsLimit)
        return { ok: false, reason: 'limit_reached', usage: portals.size };
      if (credentialType !== 'crm_oauth' && connectorSide(organizationId).some(({ row }) => row.name === name))
        return { ok: false, reason: 'name_taken' };
      const at = new Date();
      const row = { id, name, credentialType, portalId, scopes, allowedHosts, createdAt: at, updatedAt: at };
      state.credentials.set(id, { row, organizationId, sealed });
      noteAudit({ targetId: id });
      if (portalId !== null) announce(state, rebindAll(state, organizationId));
      return { ok: true, credential: copy(row) };
    },
    list: async (organizationId, page) =>
      pageOf(
        of(organizationId).map(({ row }) => row),
        page,
      ),
    get: async (organizationId, id) => copy(owned(organizationId, id)?.row ?? null),
    names: async (organizationId) =>
      connectorSide(organizationId).map(({ row: { name, credentialType, allowedHosts } }) =>
        ({ name, credentialType, allowedHosts })),
    async rotate(organizationId, id, { sealed, portalId = null, scopes = [], name, allowedHosts }) {
      const credential = owned(organizationId, id);
      if (!credential) return { ok: false, reason: 'not_found' };
      const { row } = credential;
      if (row.portalId !== portalId) return { ok: false, reason: 'portal_changed' };
      if (
        row.credentialType !== 'crm_oauth' &&
        connectorSide(organizationId).some((other) => other !== credential && other.row.name === name)
      )
        return { ok: false, reason: 'name_taken' };
      credential.sealed = sealed;
      const hosts = allowedHosts === undefined ? row.allowedHosts : allowedHosts;
      Object.assign(row, { scopes, name: name ?? row.name, allowedHosts: hosts, updatedAt: new Date() });
      return { ok: true, credential: copy(row) };
    },
    async delete(organizationId, id) {
      if (!owned(organizationId, id)) return false;
      state.credentials.delete(id);
      const users = connectorsOf(state, organizationId).filter(({ row }) => row.credentialId === id);
      for (const { row } of users) row.credentialId = null;
      announce(state, [...new Set([...rebindAll(state, organizationId), ...users])]);
      return true;
    },
  };
}
