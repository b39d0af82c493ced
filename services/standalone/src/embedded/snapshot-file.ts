import { renameSync, writeFileSync } from 'node:fs';
import type { CrmSimulator } from '@sluice/crm-simulator';

const leastMs = 1_000;
/** The share of time that writing snapshots may take at most: a large state is written less often. */
const largestShare = 0.05;

/** Writes a simulator's snapshot to a file whenever there may be something new, whole or not at all. */
export function createSnapshotFile(file: string, simulator: Pick<CrmSimulator, 'requests' | 'state'>): { stop(): void } {
  let saved = simulator.requests();
  let timer: NodeJS.Timeout;

  const save = (): number => {
    const began = performance.now();
    const now = simulator.requests();
    if (now === saved) return 0;
    writeFileSync(`${file}.draft`, simulator.state.snapshot(), { mode: 0o600 });
    renameSync(`${file}.draft`, file);
    saved = now;
    return performance.now() - began;
  };
  const schedule = (tookMs: number): void => {
    timer = setTimeout(() => schedule(save()), Math.max(leastMs, tookMs / largestShare));
  };

  schedule(0);
  return {
    stop: () => {
      clearTimeout(timer);
      save();
    },
  };
}
