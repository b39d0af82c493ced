import { type ConfigReader, type MonotonicClock, SingleFlight, type SourceCredential } from '@sluice/ports';
import { LRUCache } from 'lru-cache';

/**
 * Rotated credentials are used after this time at the latest, and at once when a destination refuses the old ones. Milliseconds.
 */
const keptMs = 30_000;
const keptCredentials = 10_000;

/** The credentials that sources name, decrypted. Their contents are secret. */
export interface SourceCredentials {
  /** null: there is none with that name. `fresh`: read it again. Throws StoreUnavailable. */
  get(organizationId: string, name: string, fresh: boolean): Promise<SourceCredential | null>;
}

export function createSourceCredentials(
  { reader, monotonicNow }: { reader: Pick<ConfigReader, 'sourceCredential'>; monotonicNow: MonotonicClock },
): SourceCredentials {
  // `maxSize` lets memory grow with use; `max` would allocate all of it at once.
  const known = new LRUCache<string, { credential: SourceCredential; readAt: number }>(
    { maxSize: keptCredentials, sizeCalculation: () => 1 },
  );
  const reading = new SingleFlight<SourceCredential | null>();
  const read = async (key: string, organizationId: string, name: string): Promise<SourceCredential | null> => {
    const credential = await reader.sourceCredential(organizationId, name);
    if (credential) known.set(key, { credential, readAt: monotonicNow() });
    else known.delete(key);
    return credential;
  };
  return {
    get: (organizationId, name, fresh) => {
      const key = JSON.stringify([organizationId, name]);
      const hit = known.get(key);
      if (hit && !fresh && monotonicNow() - hit.readAt < keptMs) return Promise.resolve(hit.credential);
      return reading.run(key, () => read(key, organizationId, name));
    },
  };
}
