import { type Logger, type MonitoringStore, type ProcessCount, type ProcessCountEntry, StoreUnavailable } from '@sluice/ports';
import { createTicker, type Ticker } from '@sluice/service-kit';

/** What this process counts by connector, kept in memory and stored from time to time: hot paths write to memory only. */
export interface ProcessCounts extends Pick<Ticker, 'start' | 'stop'> {
  add(connectorId: string, name: ProcessCount): void;
}

const flushEveryMs = 5_000;
/** Rows of one statement. */
const most = 1_000;

export function createProcessCounts(
  { store, logger }: { store: Pick<MonitoringStore, 'addProcessCounts'>; logger: Logger },
): ProcessCounts {
  let counts = new Map<string, Partial<Record<ProcessCount, number>>>();
  const add = (connectorId: string, name: ProcessCount, value: number): void => {
    let known = counts.get(connectorId);
    if (!known) counts.set(connectorId, (known = {}));
    known[name] = (known[name] ?? 0) + value;
  };
  async function flush(): Promise<void> {
    const taken = counts;
    counts = new Map();
    const entries = [...taken].flatMap(([connectorId, values]) =>
      (Object.entries(values) as [ProcessCount, number][]).map(([name, value]): ProcessCountEntry => ({ connectorId, name,
        value })));
    for (let from = 0; from < entries.length; from += most) {
      try {
        await store.addProcessCounts(entries.slice(from, from + most));
      } catch (error) {
        for (const { connectorId, name, value } of entries.slice(from)) add(connectorId, name, value);
        if (!(error instanceof StoreUnavailable)) throw error;
        logger.debug('counts are stored later: the database is away');
        return;
      }
    }
  }
  const ticker = createTicker({ name: 'counts of this process', everyMs: flushEveryMs, logger, run: flush });
  return {
    add: (connectorId, name) => add(connectorId, name, 1),
    start: () => ticker.start(),
    stop: async () => {
      await ticker.stop();
      await flush();
    },
  };
}
