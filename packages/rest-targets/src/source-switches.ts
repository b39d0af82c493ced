import { type ConfigReader, type MonotonicClock, RecentRead } from '@sluice/ports';
import { LRUCache } from 'lru-cache';

const keptConnectors = 10_000;

/** The sources that were switched off: their definitions in the config do not show that. Throws StoreUnavailable. */
export type SwitchedOff = (connectorId: string, sourceName: string) => Promise<boolean>;

export function createSwitchedOff(
  { reader, monotonicNow }: { reader: Pick<ConfigReader, 'sourceStates'>; monotonicNow: MonotonicClock },
): SwitchedOff {
  // `maxSize` lets memory grow with use; `max` would allocate all of it at once.
  const known = new LRUCache<string, RecentRead<ReadonlySet<string>>>({ maxSize: keptConnectors, sizeCalculation: () => 1 });
  const read = async (connectorId: string): Promise<ReadonlySet<string>> => {
    const states = await reader.sourceStates(connectorId);
    return new Set(states.flatMap(({ name, enabled }) => (enabled ? [] : [name])));
  };
  const offOf = (connectorId: string): RecentRead<ReadonlySet<string>> => {
    const hit = known.get(connectorId);
    if (hit) return hit;
    const made = new RecentRead({ read: () => read(connectorId), monotonicNow });
    known.set(connectorId, made);
    return made;
  };
  return async (connectorId, sourceName) => (await offOf(connectorId).get()).has(sourceName);
}
