import type { BegunUnit, CrashWatchStore } from '../../run-store/crash-watch';
import { type PartitionRef } from '../../run-store/partition-ref';
import { unitKeyText } from '../../run-store/unit-key';

interface Noted extends BegunUnit {
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
      for (const { unit, deaths, aloneDeaths, alone } of units) {
        const text = unitKeyText(unit);
        const before = noted.get(text) ?? { deaths: 0, aloneDeaths: 0 };
        noted.set(text, {
          unit, alone, begun: true,
          deaths: Math.max(deaths, before.deaths), aloneDeaths: Math.max(aloneDeaths, before.aloneDeaths),
        });
      }
    },
    end: async (ref, units) => {
      for (const unit of units) unitsOf(ref).delete(unitKeyText(unit));
    },
    countDeaths: async (ref) => {
      const noted = unitsOf(ref);
      for (const one of noted.values()) {
        if (!one.begun) one.aloneDeaths = 0;
        else if (one.alone) one.aloneDeaths += 1;
        else one.deaths += 1;
        Object.assign(one, { begun: false, alone: false });
      }
      return [...noted.values()].map(({ unit, deaths, aloneDeaths }) => ({ unit, deaths, aloneDeaths }));
    },
    forget: async (ref) => unitsOf(ref).clear(),
  };
}
