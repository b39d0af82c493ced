import type { ConnectorChange, FlowIndexEntry } from '@sluice/contracts';
import { indexMatcher, type Matcher } from '@sluice/flow-engine';
import { type ConfigReader, type Logger, type MonotonicClock, SingleFlight, StoreUnavailable } from '@sluice/ports';
import { LRUCache } from 'lru-cache';

/**
 * Which flows the active version of a connector has, for the hints of an answer: read by version number when it is first
 * needed, kept within a bound. Hints are best effort: while the database is away or slow there are none.
 */
export interface FlowIndexes {
  /**
   * The matcher of the active version; synchronous when it is in memory. null: it cannot be read now, or nothing is published.
   * Never rejects.
   */
  of(connector: ConnectorChange): Matcher | null | Promise<Matcher | null>;
  /** Reads the new version of a connector in use before the next event asks for it. */
  apply(change: ConnectorChange): void;
}

/** An event waits no longer than this for its hint. */
const patienceMs = 1_000;
/** How long after a failed read no event waits for a read. */
const awayMs = 5_000;
/** Reads under way at once: many connectors that are not in memory must not take all database connections. */
const maxReads = 16;

interface Kept {
  version: number;
  matcher: Matcher;
  flows: number;
}

export function createFlowIndexes(options: {
  reader: Pick<ConfigReader, 'flowIndex'>;
  /** Flows kept, of all connectors together. */
  maxFlows: number;
  logger: Logger;
  monotonicNow: MonotonicClock;
}): FlowIndexes {
  const { reader, maxFlows, logger, monotonicNow } = options;
  /** By connector. One with more flows than the bound is kept alone. */
  const kept = new LRUCache<string, Kept>({ maxSize: maxFlows, sizeCalculation: ({ flows }) => Math.min(flows, maxFlows) });
  const reading = new SingleFlight<Matcher | null>();
  let awayUntil = 0;

  const keep = (connectorId: string, version: number, flows: FlowIndexEntry[]): Matcher => {
    const matcher = indexMatcher(flows);
    const before = kept.peek(connectorId);
    if (!before || before.version <= version) kept.set(connectorId, { version, matcher, flows: flows.length + 1 });
    return matcher;
  };
  const read = async (connectorId: string, version: number): Promise<Matcher | null> => {
    try {
      const flows = await reader.flowIndex(connectorId, version);
      return flows && keep(connectorId, version, flows);
    } catch (error) {
      // The event is accepted in any case; without the index its answer has no hint.
      if (!(error instanceof StoreUnavailable))
        logger.error('a flow index cannot be read', { connector_id: connectorId, version, error });
      awayUntil = monotonicNow() + awayMs;
      return null;
    }
  };
  const readOnce = (connectorId: string, version: number): Promise<Matcher | null> =>
    reading.run(`${connectorId}/${version}`, () => read(connectorId, version));
  const isBusy = (): boolean => awayUntil > monotonicNow() || reading.size >= maxReads;
  return {
    of: ({ connector_id: connectorId, active_version: version }) => {
      if (version === null) return null;
      const known = kept.get(connectorId);
      if (known?.version === version) return known.matcher;
      return isBusy() ? null : within(patienceMs, readOnce(connectorId, version), () => { awayUntil = monotonicNow() + awayMs; });
    },
    apply: ({ connector_id: connectorId, active_version: version, deleted }) => {
      const known = kept.peek(connectorId);
      if (!known || known.version === version) return;
      if (deleted || version === null) kept.delete(connectorId);
      else if (!isBusy()) void readOnce(connectorId, version);
    },
  };
}

/** null when `work` takes longer than `ms`. */
async function within<T>(ms: number, work: Promise<T>, late: () => void): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      late();
      resolve(null);
    }, ms);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
