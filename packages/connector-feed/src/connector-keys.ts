import type { ConnectorChange, ConnectorKey } from '@sluice/contracts';
import type { ConnectorDirectory } from './connector-directory';

/**
 * Which connector each key belongs to: the keys that its change carries, completed by look-ups. A key that was looked up, because
 * the change does not carry it, is valid only for the revision it was read with: after any change of the connector, for example a
 * revoked key, it is looked up again.
 */
export interface ConnectorKeys {
  /** The connector of a usable key, by SHA-256 hex; `now` in milliseconds since the epoch. */
  byHash(hash: string, now: number): ConnectorChange | undefined;
  /** Adds the result of a look-up. Ignored when the topic has delivered a newer revision meanwhile. */
  found(answer: { change: ConnectorChange; key: ConnectorKey }): void;
}

interface KnownKey {
  connectorId: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** @param directory must keep the keys of its connectors, and must not have been filled yet */
export function createConnectorKeys(directory: ConnectorDirectory): ConnectorKeys {
  const keys = new Map<string, KnownKey>();
  const hashesOf = new Map<string, Set<string>>();

  const learn = (connectorId: string, { hash, expires_at }: ConnectorKey): void => {
    const hashes = hashesOf.get(connectorId) ?? new Set();
    hashesOf.set(connectorId, hashes.add(hash));
    keys.set(hash, { connectorId, expiresAt: expires_at === null ? Infinity : Date.parse(expires_at) });
  };
  const drop = (connectorId: string): void => {
    for (const hash of hashesOf.get(connectorId) ?? []) keys.delete(hash);
    hashesOf.delete(connectorId);
  };
  directory.onChange((change) => {
    drop(change.connector_id);
    if (!change.deleted) for (const key of change.keys) learn(change.connector_id, key);
  });
  directory.onForget(drop);
  return {
    byHash: (hash, now) => {
      const key = keys.get(hash);
      return key && key.expiresAt > now ? directory.get(key.connectorId) : undefined;
    },
    found: ({ change, key }) => {
      directory.apply(change);
      const known = directory.get(change.connector_id);
      if (known?.revision === change.revision && !known.deleted) learn(change.connector_id, key);
    },
  };
}
