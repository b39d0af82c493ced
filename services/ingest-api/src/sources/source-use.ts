import { type Logger, type SourceActivity, type SourceStore, StoreUnavailable, type WallClock } from '@sluice/ports';
import { createTicker, type Ticker } from '@sluice/service-kit';

/** What the sources of this process did last, written to the store from time to time: taking a call writes only to memory. */
export interface SourceUse extends Pick<Ticker, 'start' | 'stop'> {
  /** A source brought events. */
  received(connectorId: string, name: string): void;
  /** A call for a source was refused. */
  failed(connectorId: string, name: string, why: string): void;
}

const flushEveryMs = 5_000;
/** How often the activity of a source in steady use is stored. */
const tellEveryMs = 30_000;
/** Sources written in one statement, and kept until they are. */
const [perStatement, maxSources] = [1_000, 50_000];
const longestError = 500;

/** What is not told yet. `error`: undefined: as it was told. */
interface Activity {
  connectorId: string;
  name: string;
  eventAt: number | null;
  error: string | null | undefined;
  toldAt: number;
}

export function createSourceUse(
  { store, logger, now }: { store: Pick<SourceStore, 'note'>; logger: Logger; now: WallClock },
): SourceUse {
  const activities = new Map<string, Activity>();

  const activityOf = (connectorId: string, name: string): Activity | undefined => {
    const key = `${connectorId}/${name}`;
    const known = activities.get(key);
    if (known || activities.size >= maxSources) return known;
    const fresh: Activity = { connectorId, name, eventAt: null, error: undefined, toldAt: -Infinity };
    activities.set(key, fresh);
    return fresh;
  };

  async function flush(all: boolean): Promise<void> {
    const due = [...activities.values()].filter((one) => isUntold(one) && (all || now() - one.toldAt >= tellEveryMs));
    for (let from = 0; from < due.length; from += perStatement) {
      const batch = due.slice(from, from + perStatement).map((one) => ({ one, told: { ...one } }));
      await store.note(batch.map(({ told }) => noteOf(told)));
      for (const { one, told } of batch) settle(one, told, now());
    }
    for (const [key, one] of activities) if (!isUntold(one) && now() - one.toldAt >= tellEveryMs) activities.delete(key);
  }
  const patient = (all: boolean): Promise<void> =>
    flush(all).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) throw error;
      logger.debug('the activity of sources is stored later: the database is away');
    });
  const ticker = createTicker({ name: 'activity of sources', everyMs: flushEveryMs, logger, run: () => patient(false) });

  return {
    received: (connectorId, name) => {
      const activity = activityOf(connectorId, name);
      if (!activity) return;
      activity.eventAt = now();
      activity.error = null;
    },
    failed: (connectorId, name, why) => {
      const activity = activityOf(connectorId, name);
      if (activity) activity.error = why.slice(0, longestError);
    },
    start: () => ticker.start(),
    stop: async () => {
      await ticker.stop();
      await patient(true);
    },
  };
}

const isUntold = ({ error, eventAt }: Activity): boolean => eventAt !== null || error !== undefined;

const noteOf = ({ connectorId, error, eventAt, name }: Activity): SourceActivity => ({
  connectorId, name, ...(
    eventAt !== null && { lastEventAt: new Date(eventAt) }
  ), ...(error !== undefined && { lastError: error }),
});

/** What came after `told` is still to be told. */
function settle(one: Activity, told: Activity, at: number): void {
  if (one.eventAt === told.eventAt) one.eventAt = null;
  if (one.error === told.error) one.error = undefined;
  one.toldAt = at;
}
