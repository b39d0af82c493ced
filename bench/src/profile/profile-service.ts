import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, type SpawnedService } from '@sluice/testkit';
import { allocators, type HotSpot, hotSpots } from './hot-spots';
import { type ProfileKind, profileSuffix, type Profiling } from './profiling';

const shown = 25;

/** Runs `work` with profiles of services, and prints what was hot in each. Without a profiling it only runs the work. */
export async function profiled<T>(
  profiling: Profiling | null,
  services: Record<string, SpawnedService>,
  work: () => Promise<T>,
): Promise<T> {
  if (profiling === null) return work();
  const { folder, kind } = profiling;
  const all = Object.entries(services);
  for (const [, { pid }] of all) process.kill(pid, 'SIGUSR2');
  const result = await work();
  for (const [, { pid }] of all) process.kill(pid, 'SIGUSR2');
  for (const [name, { pid }] of all) {
    const written = join(folder, `${pid}.${profileSuffix[kind]}`);
    await eventually(() => existsSync(written));
    const { summary, spots } = await eventually(() => summaries[kind](written));
    const file = join(folder, `${name.replace(/\W+/g, '-')}.${profileSuffix[kind]}`);
    renameSync(written, file);
    console.log(`\n${name}: ${summary}, ${file}`);
    for (const { where, self } of spots) console.log(`  ${(self * 100).toFixed(1).padStart(5)} %  ${where}`);
  }
  return result;
}

const summaries: Readonly<Record<ProfileKind, (file: string) => { summary: string; spots: HotSpot[] }>> = {
  cpu: (file) => {
    const { busy, spots } = hotSpots(file, shown);
    return { summary: `CPU profile, busy ${Math.round(busy * 100)} %`, spots };
  },
  allocations: (file) => {
    const { bytes, spots } = allocators(file, shown);
    return { summary: `allocations of ${Math.round(bytes / 1e6)} MB`, spots };
  },
};
