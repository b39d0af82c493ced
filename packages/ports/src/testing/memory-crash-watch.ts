import type { CrashWatchStore, WatchedUnit } from '../crash-watch';
import { type PartitionRef, unitKeyText } from '../run-store';

interface Noted extends WatchedUnit {
  begun: boolean;
}

/** A crash watch store in memory. */
export function memoryCrashWatch(): CrashWatchStore {
  const partitions = new Map<string, Map<string, Noted>>();
  const unitsOf = ({ topic, partition }: PartitionRef): Map<string, Noted> => {
    const key = `${partition} ${topic}`;
    const units = partitions.get(key) ?? new Map<string, Noted>();
    partitions.set(key, units);
    return units;
  };
  return {
    begin: async (ref, units) => {
      const noted = unitsOf(ref);
      for (const { unit, deaths } of units) {
        const text = unitKeyText(unit);
        noted.set(text, { unit, deaths: Math.max(deaths, noted.get(text)?.deaths ?? 0), begun: true });
      }
    },
    end: async (ref, units) => {
      for (const unit of units) unitsOf(ref).delete(unitKeyText(unit));
    },
    countDeaths: async (ref) => {
      const noted = unitsOf(ref);
      for (const [text, { unit, deaths, begun }] of noted)
        noted.set(text, { unit, deaths: deaths + (begun ? 1 : 0), begun: false });
      return [...noted.values()].map(({ unit, deaths }) => ({ unit, deaths }));
    },
    forget: async (ref) => unitsOf(ref).clear(),
  };
}
