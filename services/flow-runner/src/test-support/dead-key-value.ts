import { type KeyValue, KeyValueUnavailable } from '@sluice/ports';

/** An installation without Redis: the runner falls back to counting by itself. */
export function deadKeyValue(): KeyValue {
  const refuse = (): Promise<never> => Promise.reject(new KeyValueUnavailable('no key-value store in the lab'));
  return {
    get: refuse, getMany: refuse, set: refuse, setIfAbsent: refuse, delete: refuse, increment: refuse, incrementWithin: refuse,
    slideWindow: refuse, takeTokens: refuse, capTokens: refuse, healthy: () => false, close: () => Promise.resolve(),
  };
}
