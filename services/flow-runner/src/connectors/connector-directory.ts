import type { ConnectorChange } from '@sluice/contracts';
import type { ConfigReader } from '@sluice/ports';

/**
 * The connectors that this process knows, filled from the compacted topic and completed by single reads. A revision lower than
 * the known one is ignored.
 */
export interface ConnectorDirectory {
  /** Newest known state; undefined when never heard of. */
  get(connectorId: string): ConnectorChange | undefined;
  /** Loads the connector when it is unknown or behind `revision`. null: it does not exist. Throws StoreUnavailable. */
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
    // Its keys are for acceptors.
    known.set(change.connector_id, { ...change, keys: [] });
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
  const atLeast = (connectorId: string, revision: number): ConnectorChange | undefined => {
    const change = known.get(connectorId);
    return change && change.revision >= revision ? change : undefined;
  };
  const startLoad = (connectorId: string): Promise<ConnectorChange | null> => {
    const pending = load(connectorId);
    loading.set(connectorId, pending);
    return pending;
  };
  return {
    get: (connectorId) => known.get(connectorId),
    ensure: async (connectorId, revision) => {
      const hit = atLeast(connectorId, revision);
      if (hit) return hit;
      const underWay = loading.get(connectorId);
      if (!underWay) return startLoad(connectorId);
      await underWay;
      // It may have read before the revision was written: only a read begun after it was asked for is believed.
      return atLeast(connectorId, revision) ?? loading.get(connectorId) ?? startLoad(connectorId);
    },
    heard,
    onChange: (listener) => { listeners.push(listener); },
  };
}

/** Whether a connector's events may start now, and if not, why. Pausing also stops events that are in the queue. */
export function stoppedReason(change: ConnectorChange): 'paused' | 'organization_stopped' | null {
  if (change.organization.state !== 'active') return 'organization_stopped';
  return change.status === 'active' ? null : 'paused';
}
