import { type KeyValue, KeyValueUnavailable } from '@sluice/ports';

/** A key-value store of which config-api needs the sliding window: time never passes in it. */
export function countingKeyValue(): KeyValue & { down: boolean } {
  const counts = new Map<string, number>();
  const unused = async (): Promise<never> => {
    throw new Error('config-api does not use this');
  };
  const store: KeyValue & { down: boolean } = {
    down: false,
    slideWindow: async (key, { limit, windowMs }) => {
      if (store.down) throw new KeyValueUnavailable('away');
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return { allowed: count <= limit, remaining: Math.max(0, limit - count), resetMs: windowMs };
    },
    get: unused, getMany: unused, set: unused, setIfAbsent: unused, delete: unused, increment: unused, incrementWithin: unused, takeTokens: unused, capTokens: unused,
    healthy: () => !store.down,
    close: async () => undefined,
  };
  return store;
}
