import { randomUUID } from 'node:crypto';
import { type KeyValue, KeyValueUnavailable, type Logger } from '@sluice/ports';
import { createTicker, type Ticker } from '@sluice/service-kit';

/** One running instance of a service, for the operator's overview. */
export interface ServiceInstance {
  name: string;
  version: string;
  uptime_seconds: number;
}

/** Every service of the product. */
const productServices = [
  'ingest-api',
  'config-api',
  'flow-runner',
  'journal-poller',
  'export-worker',
  'plugin-deployer',
] as const;

/** Instances of one service that are listed at most. */
const places = 32;
const everyMs = 5_000;
/** An instance that has not renewed its key for so long is not listed any more. */
const ttlMs = 3 * everyMs;

const keyOf = (name: string, place: number): string => `standing:${name}:${place}`;

interface Written {
  instance: string;
  version: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
}

/**
 * Announces to the other services that this instance runs, until stopped. While the key-value store is away, it is not announced.
 */
export function createAnnouncement({
  kv,
  name,
  version,
  logger,
}: {
  kv: KeyValue;
  name: (typeof productServices)[number];
  version: string;
  logger: Logger;
}): Ticker {
  const written: Written = { instance: randomUUID(), version, startedAt: Date.now() };
  const text = JSON.stringify(written);
  let place: number | undefined;

  /** Its own number again, else the first free one. */
  async function keep(): Promise<void> {
    if (place !== undefined && (await kv.get(keyOf(name, place))) === text) return kv.set(keyOf(name, place), text, { ttlMs });
    place = undefined;
    for (let next = 0; next < places && place === undefined; next += 1) {
      if (await kv.setIfAbsent(keyOf(name, next), text, { ttlMs })) place = next;
    }
  }
  const ticker = createTicker({
    name: 'announcement',
    everyMs,
    logger,
    run: () =>
      keep().catch((error: unknown) => {
        if (!(error instanceof KeyValueUnavailable)) throw error;
        logger.debug('not announced: the key-value store is away');
      }),
  });
  const leave = async (): Promise<void> => {
    await ticker.stop();
    if (place !== undefined)
      await kv.delete([keyOf(name, place)]).catch(() => logger.debug('the announcement is left to expire'));
  };
  return { ...ticker, stop: leave };
}

/** Every instance of every service that announced itself recently. Throws KeyValueUnavailable. */
export async function readServiceInstances(kv: Pick<KeyValue, 'getMany'>): Promise<ServiceInstance[]> {
  const keys = productServices.flatMap((name) =>
    Array.from({ length: places }, (_, place) => ({ name, key: keyOf(name, place) })),
  );
  const values = await kv.getMany(keys.map(({ key }) => key));
  return keys.flatMap(({ name }, index) => {
    const text = values[index];
    if (typeof text !== 'string') return [];
    const { version, startedAt } = JSON.parse(text) as Written;
    return [{ name, version, uptime_seconds: Math.max(0, Math.round((Date.now() - startedAt) / 1_000)) }];
  });
}
