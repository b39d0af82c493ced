import { randomBytes } from 'node:crypto';
import { type KeyValue, KeyValueUnavailable, type Logger } from '@sluice/ports';
import { Redis } from 'ioredis';
import { scripts } from './scripts';

export interface RedisKeyValueOptions {
  /** redis:// or rediss:// */
  url: string;
  /** Put before every key. Default `sluice:`. */
  prefix?: string;
  /** Milliseconds a command may take before the store counts as unavailable. Default 200. */
  timeoutMs?: number;
  logger?: Logger;
}

/** The scripts as ioredis adds them to its client. */
interface Scripted {
  sluiceIncrement(key: string, by: number, ttlMs: number): Promise<number>;
  sluiceIncrementWithin(key: string, by: number, limit: number, ttlMs: number): Promise<[number, number]>;
  sluiceSlideWindow(
    key: string,
    limit: number,
    windowMs: number,
    cost: number,
    unique: string,
  ): Promise<[number, string, number]>;
  sluiceTakeTokens(
    key: string, capacity: number, refillPerSecond: number, want: number, min: number, leave: number,
  ): Promise<[number, number]>;
  sluiceCapTokens(key: string, capacity: number, refillPerSecond: number, remaining: number): Promise<null>;
}

const maxReconnectMs = 2_000;

/**
 * A KeyValue on Redis. A Redis that is away does not delay callers: without a connection every method throws KeyValueUnavailable
 * at once; when a connection does not answer, after `timeoutMs`. It reconnects by itself.
 */
export function createRedisKeyValue(options: RedisKeyValueOptions): KeyValue {
  const { prefix = 'sluice:', timeoutMs = 200, logger } = options;
  const redis = new Redis(options.url, {
    keyPrefix: prefix,
    commandTimeout: timeoutMs,
    connectTimeout: 2_000,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (tries) => Math.min(100 * tries, maxReconnectMs),
    scripts,
  }) as Redis & Scripted;
  let healthy = false;
  let slow = 0;
  const ready = new Promise<void>((resolve) => {
    redis.once('ready', resolve);
    redis.once('error', () => resolve());
  });
  redis.on('ready', () => {
    healthy = true;
    slow = 0;
  });
  redis.on('close', () => {
    if (healthy) logger?.warn('The connection to Redis is lost.');
    healthy = false;
  });
  // Every error is followed by 'close'; without a listener it would be printed.
  redis.on('error', (error: Error) => logger?.debug('Redis reports an error.', { reason: error.message }));

  const ask = async <T>(command: () => Promise<T>): Promise<T> => {
    // Only the first commands wait for the connection, and not longer than for an answer.
    if (redis.status === 'connecting' || redis.status === 'connect') await Promise.race([ready, after(timeoutMs)]);
    try {
      const answer = await command();
      slow = 0;
      return answer;
    } catch (error) {
      // A connection that has stopped answering is replaced: it may be dead without an error.
      if ((error as Error).message === 'Command timed out' && (slow += 1) === maxSlow) redis.disconnect(true);
      throw new KeyValueUnavailable(`Redis: ${(error as Error).message}`);
    }
  };

  return {
    get: (key) => ask(() => redis.get(key)),
    getMany: (keys) => (keys.length === 0 ? Promise.resolve([]) : ask(() => redis.mget([...keys]))),
    set: async (key, value, { ttlMs }) => {
      await ask(() => redis.set(key, value, 'PX', ttl(ttlMs)));
    },
    setIfAbsent: async (key, value, { ttlMs }) => (await ask(() => redis.set(key, value, 'PX', ttl(ttlMs), 'NX'))) === 'OK',
    delete: async (keys) => {
      if (keys.length > 0) await ask(() => redis.unlink([...keys]));
    },
    increment: (key, by, { ttlMs }) => ask(() => redis.sluiceIncrement(key, by, ttl(ttlMs))),
    incrementWithin: async (key, by, limit, { ttlMs }) => {
      const [added, value] = await ask(() => redis.sluiceIncrementWithin(key, by, limit, ttl(ttlMs)));
      return { added: added === 1, value };
    },
    slideWindow: async (key, { limit, windowMs, cost = 1 }) => {
      const unique = randomBytes(9).toString('base64url');
      const [allowed, remaining, resetMs] = await ask(() => redis.sluiceSlideWindow(key, limit, windowMs, cost, unique));
      return { allowed: allowed === 1, remaining: Number(remaining), resetMs };
    },
    takeTokens: async (key, { capacity, refillPerSecond, want, min = 1, leave = 0 }) => {
      const [granted, waitMs] = await ask(() => redis.sluiceTakeTokens(key, capacity, refillPerSecond, want, min, leave));
      return { granted, waitMs };
    },
    capTokens: async (key, { capacity, refillPerSecond, remaining }) => {
      await ask(() => redis.sluiceCapTokens(key, capacity, refillPerSecond, remaining));
    },
    healthy: () => healthy && slow === 0,
    close: async () => {
      healthy = false;
      redis.disconnect();
    },
  };
}

const maxSlow = 3;

/** Redis takes whole milliseconds, one at least. */
function ttl(ms: number): number {
  return Math.max(1, Math.ceil(ms));
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
