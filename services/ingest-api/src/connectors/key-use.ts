import { type ConnectorStore, type Logger, StoreUnavailable, type WallClock } from '@sluice/ports';
import { createTicker, type Ticker } from '@sluice/service-kit';

/** When connector keys were last used, written to the store from time to time: the accept path writes only to memory. */
export interface KeyUse extends Pick<Ticker, 'start' | 'stop'> {
  /** @param hash of a valid key */
  used(hash: string): void;
}

const flushEveryMs = 10_000;
/** How often the use of a key in steady use is stored. */
const tellEveryMs = 60_000;
/** After this time without use a stored key is dropped from memory: it may have been deleted. */
const forgetAfterMs = 600_000;
/** Keys written in one statement. */
const most = 1_000;

export function createKeyUse({
  store,
  logger,
  now,
}: {
  store: Pick<ConnectorStore, 'noteKeyUse'>;
  logger: Logger;
  now: WallClock;
}): KeyUse {
  /** By hash: the last use, and the last use that was stored. Contains keys that exist and were used in the last minutes. */
  const uses = new Map<string, { at: number; told: number }>();

  async function flush(all: boolean): Promise<void> {
    const due = [...uses].filter(([, { at, told }]) => at > told && (all || at - told >= tellEveryMs));
    for (let from = 0; from < due.length; from += most) {
      const batch = due.slice(from, from + most).map(([hash, use]) => ({ hash, use, at: use.at }));
      await store.noteKeyUse(batch.map(({ hash, at }) => ({ hash, at: new Date(at) })));
      for (const { use, at } of batch) use.told = at;
    }
    for (const [hash, { at, told }] of uses) if (at <= told && now() - at > forgetAfterMs) uses.delete(hash);
  }
  const patient = (all: boolean): Promise<void> =>
    flush(all).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) throw error;
      logger.debug('the use of keys is stored later: the database is away');
    });
  const ticker = createTicker({ name: 'use of keys', everyMs: flushEveryMs, logger, run: () => patient(false) });
  return {
    used: (hash) => {
      const use = uses.get(hash);
      if (use) use.at = now();
      else uses.set(hash, { at: now(), told: -Infinity });
    },
    start: () => ticker.start(),
    stop: async () => {
      await ticker.stop();
      await patient(true);
    },
  };
}
