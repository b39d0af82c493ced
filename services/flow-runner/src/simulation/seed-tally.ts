import type { SeedResult } from './run-seed';

/** Adds up the faults and outcomes of seeds. */
export interface SeedTally {
  add(result: SeedResult): void;
  failed(): number;
  /** How far it is, and how fast. */
  progress(): string;
  summary(): string;
  /** Kinds of faults and outcomes that no seed had, if there were enough seeds to expect each of them. */
  missing(): string[];
}

/** The number of seeds from which on every kind of fault must have occurred. */
const enoughSeeds = 200;

/** @param planned how many seeds are to run */
export function createSeedTally(planned: number): SeedTally {
  const startedAt = performance.now();
  const counts: Record<string, number> = {};
  let done = 0;
  let failed = 0;
  const speed = (): string => {
    const seconds = (performance.now() - startedAt) / 1_000;
    const { user, system } = process.cpuUsage();
    return `${seconds.toFixed(1)} s (${((user + system) / 1e6).toFixed(1)} s of CPU), ${(done / seconds).toFixed(1)} seeds/s`;
  };
  return {
    add: (result) => {
      done += 1;
      if (!result.ok) failed += 1;
      else for (const [name, count] of Object.entries(result.report)) counts[name] = (counts[name] ?? 0) + count;
    },
    failed: () => failed,
    progress: () => `${done} of ${planned} seeds, ${failed} failed, ${speed()}`,
    summary: () =>
      `${done} seeds, ${failed} failed, ${speed()}\n${Object.entries(counts)
        .map(([name, count]) => `${name} ${count}`)
        .join(', ')}`,
    missing: () => (done < enoughSeeds ? [] : Object.keys(counts).filter((name) => counts[name] === 0)),
  };
}
