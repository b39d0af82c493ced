import { type ConfigReader, type MonotonicClock, RecentRead, type SourceCredential } from '@sluice/ports';
import { LRUCache } from 'lru-cache';

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
  const known = new LRUCache<string, RecentRead<SourceCredential | null>>({ maxSize: keptCredentials, sizeCalculation: () => 1 });
  const readOf = (organizationId: string, name: string): RecentRead<SourceCredential | null> => {
    const key = JSON.stringify([organizationId, name]);
    const hit = known.get(key);
    if (hit) return hit;
    const made = new RecentRead({ read: () => reader.sourceCredential(organizationId, name), monotonicNow });
    known.set(key, made);
    return made;
  };
  return {
    get: (organizationId, name, fresh) => {
      const credential = readOf(organizationId, name);
      return fresh ? credential.again() : credential.get();
    },
  };
}
