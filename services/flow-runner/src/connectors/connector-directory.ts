import type { ConnectorChange } from '@sluice/contracts';
import type { ConfigReader } from '@sluice/ports';

/**
 * What this process knows of the connectors: fed by the compacted topic, completed by single reads. A lower revision
 * than the known one is ignored (DESIGN 2.10).
 */
export interface ConnectorDirectory {
  /** Newest known state; undefined when never heard of. */
  get(connectorId: string): ConnectorChange | undefined;
  /** Loads the connector when it is unknown or behind `revision`. null: it does not exist. */
  ensure(connectorId: string, revision: number): Promise<ConnectorChange | null>;
  heard(change: ConnectorChange): void;
  /** Called after every change that was news. */
  onChange(listener: (change: ConnectorChange) => void): void;
}

export function createConnectorDirectory(reader: Pick<ConfigReader, 'connector'>): ConnectorDirectory {
  const known = new Map<string, ConnectorChange>();
  const loading = new Map<string, Promise<ConnectorChange | null>>();
  const listeners: ((change: ConnectorChange) => void)[] = [];

  const heard = (change: ConnectorChange): void => {
    const before = known.get(change.connector_id);
    if (before && before.revision >= change.revision) return;
    known.set(change.connector_id, change);
    for (const listener of listeners) listener(change);
  };
  const load = async (connectorId: string): Promise<ConnectorChange | null> => {
    try {
      const change = await reader.connector(connectorId);
      if (change) heard(change);
      return known.get(connectorId) ?? null;
    } finally {
      loading.delete(connectorId);
    }
  };
  return {
    get: (connectorId) => known.get(connectorId),
    ensure: (connectorId, revision) => {
      const change = known.get(connectorId);
      if (change && change.revision >= revision) return Promise.resolve(change);
      let pending = loading.get(connectorId);
      if (!pending) {
        pending = load(connectorId);
        loading.set(connectorId, pending);
      }
      return pending;
    },
    heard,
    onChange: (listener) => { listeners.push(listener); },
  };
}

/** Whether a connector's events may start now, and if not, why (decisions 6: pausing also stops the queue). */
export function stoppedReason(change: ConnectorChange): 'paused' | 'organization_stopped' | null {
  if (change.organization.state !== 'active') return 'organization_stopped';
  return change.status === 'active' ? null : 'paused';
}
