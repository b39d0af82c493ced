import type { ConnectorChange } from '@sluice/contracts';
import type { ConfigReader } from '@sluice/ports';

/**
 * The connectors that this process knows, filled from the compacted topic and completed by single reads. A revision lower than
 * the known one is ignored.
 */
export interface ConnectorDirectory {
  /** Newest known state; undefined when it is not known. */
  get(connectorId: string): ConnectorChange | undefined;
  /** Newest known state; undefined when it is not known or behind `revision`. */
  atLeast(connectorId: string, revision: number): ConnectorChange | undefined;
  /** Loads the connector when it is unknown or behind `revision`. null: it does not exist. Throws StoreUnavailable. */
  ensure(connectorId: string, revision: number): Promise<ConnectorChange | null>;
  apply(change: ConnectorChange): void;
  /** The topic no longer has the connector (a tombstone). */
  forget(connectorId: string): void;
  /** Called after every change to a higher revision. */
  onChange(listener: (change: ConnectorChange) => void): void;
  /** Called after a connector was forgotten. */
  onForget(listener: (connectorId: string) => void): void;
}

export interface ConnectorDirectoryOptions {
  reader: Pick<ConfigReader, 'connector'>;
  /** Whether the API keys of connectors are kept: only ingest-api needs them, and there are many. */
  keepKeys: boolean;
}

/** A read from the store that is under way. */
interface Read {
  answer: Promise<ConnectorChange | null>;
  /** The connector was forgotten meanwhile: the answer may be older than that. */
  outdated: boolean;
}

export function createConnectorDirectory({ reader, keepKeys }: ConnectorDirectoryOptions): ConnectorDirectory {
  const known = new Map<string, ConnectorChange>();
  const reads = new Map<string, Read>();
  const changeListeners: ((change: ConnectorChange) => void)[] = [];
  const forgetListeners: ((connectorId: string) => void)[] = [];

  const apply = (change: ConnectorChange): void => {
    const before = known.get(change.connector_id);
    if (before && before.revision >= change.revision) return;
    known.set(change.connector_id, keepKeys ? change : { ...change, keys: [] });
    for (const listener of changeListeners) listener(change);
  };
  const load = async (connectorId: string, read: Read): Promise<ConnectorChange | null> => {
    try {
      const change = await reader.connector(connectorId);
      if (change && !read.outdated) apply(change);
      return known.get(connectorId) ?? null;
    } finally {
      if (reads.get(connectorId) === read) reads.delete(connectorId);
    }
  };
  const startRead = (connectorId: string): Read => {
    const read: Read = { answer: Promise.resolve(null), outdated: false };
    reads.set(connectorId, read);
    read.answer = load(connectorId, read);
    return read;
  };
  const atLeast = (connectorId: string, revision: number): ConnectorChange | undefined => {
    const change = known.get(connectorId);
    return change && change.revision >= revision ? change : undefined;
  };
  return {
    get: (connectorId) => known.get(connectorId),
    atLeast,
    ensure: async (connectorId, revision) => {
      const hit = atLeast(connectorId, revision);
      if (hit) return hit;
      const underWay = reads.get(connectorId);
      if (!underWay) return startRead(connectorId).answer;
      await underWay.answer;
      // The read under way may have read before the revision was written: only a read that begins now is sure to see it.
      return atLeast(connectorId, revision) ?? (reads.get(connectorId) ?? startRead(connectorId)).answer;
    },
    apply,
    forget: (connectorId) => {
      const read = reads.get(connectorId);
      if (read) read.outdated = true;
      reads.delete(connectorId);
      known.delete(connectorId);
      for (const listener of forgetListeners) listener(connectorId);
    },
    onChange: (listener) => { changeListeners.push(listener); },
    onForget: (listener) => { forgetListeners.push(listener); },
  };
}
