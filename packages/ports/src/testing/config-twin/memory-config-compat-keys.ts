import type { CompatKeyStore } from '../../config-store';
import { addKey, keysOf, liveConnector, type MemoryConfigState, pageOf } from './memory-config-state';

/** Compat keys of the twin. */
export function createMemoryCompatKeys(state: MemoryConfigState): CompatKeyStore {
  const keys = state.compatKeys;
  return {
    async create(connectorId, key) {
      if (!liveConnector(state, connectorId)) return null;
      if ([...keys.values()].some(({ ownerId, hash }) => ownerId === connectorId && hash === key.hash)) return 'duplicate';
      const { expiresAt: _never, ...row } = addKey(keys, connectorId, { ...key, hash: `${connectorId}:${key.hash}` });
      keys.get(row.id)!.hash = key.hash;
      return row;
    },
    use: async (connectorId, hash) => {
      const key = [...keys.values()].find(
        (one) => one.ownerId === connectorId && one.hash === hash && one.row.revokedAt === null,
      );
      if (!key) return null;
      key.row.lastUsedAt = new Date();
      return { id: key.row.id };
    },
    list: async (connectorId, page) => {
      const { items, total } = pageOf(keysOf(keys, connectorId), page);
      return { items: items.map(({ expiresAt: _never, ...row }) => row), total };
    },
    async revoke(connectorId, keyId) {
      const key = keys.get(keyId);
      if (!key || key.ownerId !== connectorId || !liveConnector(state, connectorId)) return false;
      key.row.revokedAt ??= new Date();
      return true;
    },
  };
}
