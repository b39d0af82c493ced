import { type ConfigReader, type MonotonicClock, SingleFlight } from '@sluice/ports';
import { LRUCache } from 'lru-cache';

/** A changed switch takes effect after this time at the latest. Milliseconds. */
const keptMs = 5_000;
const keptConnectors = 10_000;

/** The sources that were switched off: their definitions in the config do not show that. Throws StoreUnavailable. */
export type SwitchedOff = (connectorId: string, sourceName: string) => Promise<boolean>;

export function createSwitchedOff(
  { reader, monotonicNow }: { reader: Pick<ConfigReader, 'sourceStates'>; monotonicNow: MonotonicClock },
): SwitchedOff {
  // `maxSize` lets memory grow with use; `max` would allocate all of it at once.
  const known = new LRUCache<string, { off: ReadonlySet<string>; readAt: number }>(
    { maxSize: keptConnectors, sizeCalculation: () => 1 },
  );
  const reading = new SingleFlight<ReadonlySet<string>>();
  const read = async (connectorId: string): Promise<ReadonlySet<string>> => {
    const states = await reader.sourceStates(connectorId);
    const off = new Set(states.flatMap(({ name, enabled }) => (enabled ? [] : [name])));
    known.set(connectorId, { off, readAt: monotonicNow() });
    return off;
  };
  return async (connectorId, sourceName) => {
    const hit = known.get(connectorId);
    const off = hit && monotonicNow() - hit.readAt < keptMs ? hit.off : await reading.run(connectorId, () => read(connectorId));
    return off.has(sourceName);
  };
}
