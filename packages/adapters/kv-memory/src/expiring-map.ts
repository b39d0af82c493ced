/** Values that end by themselves, at most so many of them. */
export interface ExpiringMap<T> {
  /** undefined when there is none or its time is over. */
  get(key: string): T | undefined;
  /** @param expiresAt milliseconds of the map's clock */
  set(key: string, value: T, expiresAt: number): void;
  delete(key: string): void;
  size(): number;
  /** Removes what has ended. */
  sweep(): void;
  clear(): void;
}

/** Over `maxKeys` the key that was written longest ago goes: everything in it may be forgotten. */
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
      // Written anew it becomes the youngest.
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
