import type { ConnectorDirectory } from '@sluice/connector-feed';
import type { ConnectorChange } from '@sluice/contracts';
import {
  type ConnectorReader, type Keyring, type Logger, type MonotonicClock, SingleFlight, type SourceState,
} from '@sluice/ports';
import { type Receiver, receiverOf } from '@sluice/sources';
import { LRUCache } from 'lru-cache';
import { compileIngress, type CompiledIngress } from './compiled-ingress';

/** A source that takes calls, as it is published. */
export interface ReceivingSource {
  name: string;
  receiver: Receiver;
  enabled: boolean;
  /** null: it has none that this process can open, and no call is verified. */
  secret: string | null;
}

/** What of a connector external systems may call, in one state. */
export interface PublishedConnector {
  connector: ConnectorChange;
  /** By name. */
  sources: ReadonlyMap<string, ReceivingSource>;
  /** null: no ingress profile is published. */
  ingress: CompiledIngress | null;
}

/**
 * The sources and ingress profiles of published versions: read from the database when they are first needed, kept within a bound,
 * and read again when their connector changes. While the database is away, calls go on for connectors that are in memory.
 */
export interface PublishedSources {
  /** Synchronous for what is in memory. undefined: it is not, or not in the newest known state. */
  peek(connectorId: string): PublishedConnector | undefined;
  /**
   * The newest state, asked of the database whatever memory says: the topic may not have told of it yet. null: there is no such
   * connector. Rejects with StoreUnavailable.
   */
  find(connectorId: string): Promise<PublishedConnector | null>;
  /** As `find`, for calls that may be a flood: the database is asked at most every 100 ms, once for all calls that wait. */
  refresh(connectorId: string): Promise<PublishedConnector | null>;
  /** Reads what a connector in use has published anew. */
  apply(change: ConnectorChange): void;
}

export interface PublishedSourcesOptions {
  directory: Pick<ConnectorDirectory, 'get' | 'ensure'>;
  reader: Pick<ConnectorReader, 'versionSources' | 'sourceStates'>;
  /** Opens the secrets; null: this process has no keys for them. */
  keyring: Keyring | null;
  /** Connectors that are kept. */
  maxConnectors: number;
  logger: Logger;
  monotonicNow: MonotonicClock;
  sleep(ms: number): Promise<void>;
}

type Published = Pick<PublishedConnector, 'sources' | 'ingress'>;

interface Kept extends Published {
  revision: number;
}

/** Milliseconds between two reads of a connector that calls ask for which memory cannot verify. */
const refreshEveryMs = 100;
/** Reads under way at once: many connectors that are not in memory must not take all database connections. */
const maxReads = 16;
const maxRefreshed = 10_000;

export function createPublishedSources(options: PublishedSourcesOptions): PublishedSources {
  const { directory, logger, monotonicNow } = options;
  const kept = new LRUCache<string, Kept>({ maxSize: options.maxConnectors, sizeCalculation: () => 1 });
  const reading = new SingleFlight<Kept>();

  const readOnce = (connector: ConnectorChange): Promise<Kept> => {
    const { connector_id: id, revision } = connector;
    return reading.run(`${id}/${revision}`, async () => {
      const now: Kept = { revision, ...(await readPublished(options, connector)) };
      if ((kept.peek(id)?.revision ?? -1) <= revision) kept.set(id, now);
      return now;
    });
  };
  const find: PublishedSources['find'] = async (connectorId) => {
    const connector = await directory.ensure(connectorId, (directory.get(connectorId)?.revision ?? -1) + 1);
    if (!connector || connector.deleted) return null;
    const known = kept.peek(connectorId);
    const { ingress, sources } = known?.revision === connector.revision ? known : await readOnce(connector);
    return { connector, ingress, sources };
  };
  const refresh = paced(options, find);

  return {
    find,
    refresh,
    peek: (connectorId) => {
      const connector = directory.get(connectorId);
      const known = connector && kept.get(connectorId);
      if (!known || known.revision !== connector.revision || connector.deleted) return undefined;
      return { connector, ingress: known.ingress, sources: known.sources };
    },
    apply: (change) => {
      const { connector_id: id, deleted, revision } = change;
      const known = kept.peek(id);
      if (!known || known.revision >= revision) return;
      if (deleted) kept.delete(id);
      else if (reading.size < maxReads)
        readOnce(change).catch((error: unknown) => {
          // The next call reads it.
          logger.debug('the sources of a connector are read later', { connector_id: id, error });
        });
    },
  };

  function paced<T>(
    { sleep }: PublishedSourcesOptions, work: (key: string) => Promise<T>,
  ): (key: string) => Promise<T> {
    const startedAt = new LRUCache<string, number>({ maxSize: maxRefreshed, sizeCalculation: () => 1 });
    /** Waits for the next start; a call may join only a read that has not begun. */
    const waiting = new SingleFlight<void>();
    const working = new SingleFlight<T>();
    return async (key) => {
      await waiting.run(key, async () => {
        const pauseMs = (startedAt.get(key) ?? -Infinity) + refreshEveryMs - monotonicNow();
        if (pauseMs > 0) await sleep(pauseMs);
        startedAt.set(key, monotonicNow());
      });
      return working.run(`${key} ${startedAt.get(key)}`, () => work(key));
    };
  }
}

/** The states are read with or after the version: a state that is newer comes with a higher revision. */
async function readPublished(options: PublishedSourcesOptions, connector: ConnectorChange): Promise<Published> {
  const { active_version: version, connector_id: id } = connector;
  if (version === null) return { sources: new Map(), ingress: null };
  const [published, states] = await Promise.all([options.reader.versionSources(id, version), options.reader.sourceStates(id)]);
  const stateOf = new Map(states.map((state) => [state.name, state]));
  const sources = new Map((published?.sources ?? []).flatMap((source) => {
    const [receiver, state] = [receiverOf(source), stateOf.get(source.name)];
    if (!receiver || !state) return [];
    const secret = secretOf(options, id, state);
    return [[source.name, { name: source.name, receiver, enabled: state.enabled, secret }] as const];
  }));
  return { sources, ingress: published && compileIngress(published) };
}

function secretOf(
  { keyring, logger }: PublishedSourcesOptions, connectorId: string, { name, sealed }: SourceState,
): string | null {
  if (sealed === null || keyring === null) return null;
  try {
    return keyring.decrypt(sealed, `source:${connectorId}:${name}`);
  } catch (error) {
    logger.error('the secret of a webhook cannot be opened: rotate it', { connector_id: connectorId, source: name, error });
    return null;
  }
}
