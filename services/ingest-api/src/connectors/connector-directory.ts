import type { ConnectorChange } from '@sluice/contracts';

/**
 * What this process knows of the connectors, and whose each key is: fed by the compacted topic, completed by look-ups.
 * A lower revision than the known one is ignored (DESIGN 2.10).
 */
export interface ConnectorDirectory {
  get(connectorId: string): ConnectorChange | undefined;
  /** The connector of a usable key, by SHA-256 hex; `now` in milliseconds since the epoch. */
  byKeyHash(hash: string, now: number): ConnectorChange | undefined;
  heard(change: ConnectorChange): void;
  /** The topic no longer knows the connector: its keys are gone. */
  forget(connectorId: string): void;
}

interface KnownKey {
  connectorId: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

export function createConnectorDirectory(): ConnectorDirectory {
  const connectors = new Map<string, ConnectorChange>();
  const keys = new Map<string, KnownKey>();

  const dropKeys = (change: ConnectorChange | undefined): void => {
    for (const { hash } of change?.keys ?? []) keys.delete(hash);
  };
  return {
    get: (connectorId) => connectors.get(connectorId),
    byKeyHash: (hash, now) => {
      const key = keys.get(hash);
      return key && key.expiresAt > now ? connectors.get(key.connectorId) : undefined;
    },
    heard: (change) => {
      const before = connectors.get(change.connector_id);
      if (before && before.revision >= change.revision) return;
      dropKeys(before);
      connectors.set(change.connector_id, change);
      if (change.deleted) return;
      for (const { hash, expires_at } of change.keys) {
        keys.set(hash, { connectorId: change.connector_id, expiresAt: expires_at === null ? Infinity : Date.parse(expires_at) });
      }
    },
    forget: (connectorId) => {
      dropKeys(connectors.get(connectorId));
      connectors.delete(connectorId);
    },
  };
}
