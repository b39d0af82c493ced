import type { ConnectorChange, ConnectorKey } from '@sluice/contracts';

/**
 * What this process knows of the connectors, and whose each key is: fed by the compacted topic, completed by look-ups.
 * A lower revision than the known one is ignored. A key that was looked up because the change does not carry it is believed
 * for the revision it was read with: any change of the connector, a revoked key too, makes it be looked up again.
 */
export interface ConnectorDirectory {
  get(connectorId: string): ConnectorChange | undefined;
  /** The connector of a usable key, by SHA-256 hex; `now` in milliseconds since the epoch. */
  byKeyHash(hash: string, now: number): ConnectorChange | undefined;
  heard(change: ConnectorChange): void;
  /** What a look-up of a key found. Ignored when the topic has told something newer meanwhile. */
  found(answer: { change: ConnectorChange; key: ConnectorKey }): void;
  /** The topic no longer knows the connector: its keys are gone. */
  forget(connectorId: string): void;
}

interface KnownKey {
  connectorId: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

interface Known {
  change: ConnectorChange;
  /** Hashes of all keys known of it. */
  hashes: Set<string>;
}

/** @param onChange hears every change that was news */
export function createConnectorDirectory(onChange: (change: ConnectorChange) => void = () => undefined): ConnectorDirectory {
  const connectors = new Map<string, Known>();
  const keys = new Map<string, KnownKey>();

  const learn = (known: Known, { hash, expires_at }: ConnectorKey): void => {
    known.hashes.add(hash);
    keys.set(hash, { connectorId: known.change.connector_id, expiresAt: expires_at === null ? Infinity : Date.parse(expires_at) });
  };
  const dropKeys = (known: Known | undefined): void => {
    for (const hash of known?.hashes ?? []) keys.delete(hash);
  };
  const heard = (change: ConnectorChange): void => {
    const before = connectors.get(change.connector_id);
    if (before && before.change.revision >= change.revision) return;
    dropKeys(before);
    const known: Known = { change, hashes: new Set() };
    connectors.set(change.connector_id, known);
    if (!change.deleted) for (const key of change.keys) learn(known, key);
    onChange(change);
  };
  return {
    get: (connectorId) => connectors.get(connectorId)?.change,
    byKeyHash: (hash, now) => {
      const key = keys.get(hash);
      return key && key.expiresAt > now ? connectors.get(key.connectorId)?.change : undefined;
    },
    heard,
    found: ({ change, key }) => {
      heard(change);
      const known = connectors.get(change.connector_id);
      if (known?.change.revision === change.revision && !known.change.deleted) learn(known, key);
    },
    forget: (connectorId) => {
      dropKeys(connectors.get(connectorId));
      connectors.delete(connectorId);
    },
  };
}
