import type { ConfigStore, MonotonicClock } from '@sluice/ports';
import { LRUCache } from 'lru-cache';

export interface CallerCacheOptions {
  monotonicNow: MonotonicClock;
  /** Milliseconds for which the state of a caller is believed, from the moment its read began. Default 1 s. */
  ttlMs?: number;
}

const usualTtlMs = 1_000;
const maxCallers = 20_000;

/** Parts of the store that change nothing about who a caller is and what it may do. */
const unrelated: ReadonlySet<string> = new Set<keyof ConfigStore>([
  'audit', 'compatKeys', 'connectors', 'credentials', 'drafts', 'mails', 'mappings', 'outbox', 'sources', 'storeTime',
]);
/** Methods of the other parts that only read, or that only open a new session. */
const harmless: ReadonlySet<string> = new Set([
  'find', 'findReset', 'get', 'keys', 'list', 'objectTypes', 'openSession', 'organizationsOf', 'roleIn', 'sessionOfToken', 'sessions',
  'usage', 'userByEmail', 'userById',
]);

/**
 * The same store, which remembers for a moment whom a session or a key speaks for: a caller's requests cost one read a second,
 * not one each. Whatever may change that (a sign-out, a revoked key, another role or plan) forgets everything at its end, so that
 * this process knows it with its own answer; other processes within `ttlMs`.
 */
export function withCallerCache(store: ConfigStore, { monotonicNow, ttlMs = usualTtlMs }: CallerCacheOptions): ConfigStore {
  const caches = new Set<{ clear(): void }>();
  const cached = <T,>(load: (key: string) => Promise<T>): ((key: string) => Promise<T>) => {
    const known = new LRUCache<string, { at: number; value: Promise<T> }>({ maxSize: maxCallers, sizeCalculation: () => 1 });
    caches.add(known);
    return (key) => {
      const found = known.get(key);
      if (found && monotonicNow() - found.at < ttlMs) return found.value;
      const value = load(key);
      const entry = { at: monotonicNow(), value };
      known.set(key, entry);
      value.catch(() => {
        if (known.peek(key) === entry) known.delete(key);
      });
      return value;
    };
  };
  const reads = {
    sessionActor: cached((id) => store.accounts.sessionActor(id)),
    byKeyHash: cached((hash) => store.organizations.byKeyHash(hash)),
  };
  const forget = (): void => {
    for (const known of caches) known.clear();
  };
  const parts = Object.entries(store).map(([name, part]) => [name, unrelated.has(name) ? part : forgetting(part, reads, forget)]);
  return Object.fromEntries(parts) as ConfigStore;
}

type Method = (...args: unknown[]) => Promise<unknown>;

/** A part of the store whose methods forget all callers at their end, unless they are known to change nothing about them. */
function forgetting(part: object, reads: Readonly<Record<string, unknown>>, forget: () => void): object {
  const wrapped = Object.entries(part as Record<string, Method>).map(([name, method]) => {
    if (Object.hasOwn(reads, name)) return [name, reads[name]];
    if (harmless.has(name)) return [name, method];
    // Also when it fails: it may have been stored.
    return [name, async (...args: unknown[]) => method(...args).finally(forget)];
  });
  return Object.fromEntries(wrapped) as object;
}
