/** A bounded map of values that expire. */
export interface ExpiringMap<T> {
  /** undefined when there is none or it has expired. */
  get(key: string): T | undefined;
  /** @param expiresAt milliseconds of the map's clock */
  set(key: string, value: T, expiresAt: number): void;
  delete(key: string): void;
  size(): number;
  /** Removes expired values. */
  sweep(): void;
  clear(): void;
}

/** Beyond `maxKeys` the key written longest ago is deleted: all values may be lost. */
export function createExpiringMap<T>(maxKeys: number, now: () => number): ExpiringMap<T> {
  const entries = new Map<string, { value: T; expiresAt: number }>();
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (!entry) return undefined;
      if (entry.expiresAt > now()) return entry.value;
      entries.delete(key);
      return undefined;
    },
    set: (key, value, expiresAt) => {
      // A key that is written again becomes the newest.
      entries.delete(key);
      entries.set(key, { value, expiresAt });
      if (entries.size <= maxKeys) return;
      for (const oldest of entries.keys()) {
        entries.delete(oldest);
        return;
      }
    },
    delete: (key) => void entries.delete(key),
    size: () => entries.size,
    sweep: () => {
      const time = now();
      for (const [key, { expiresAt }] of entries) if (expiresAt <= time) entries.delete(key);
    },
    clear: () => entries.clear(),
  };
}
