import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, type SpawnedService } from '@sluice/testkit';
import { hotSpots } from './hot-spots';

/** Runs `work` with CPU profiles of services, and prints what was hot in each. Without a folder it only runs the work. */
export async function profiled<T>(
  folder: string | null,
  services: Record<string, SpawnedService>,
  work: () => Promise<T>,
): Promise<T> {
  if (folder === null) return work();
  const all = Object.entries(services);
  for (const [, { pid }] of all) process.kill(pid, 'SIGUSR2');
  const result = await work();
  for (const [, { pid }] of all) process.kill(pid, 'SIGUSR2');
  for (const [name, { pid }] of all) {
    const written = join(folder, `${pid}.cpuprofile`);
    await eventually(() => existsSync(written));
    const { busy, spots } = await eventually(() => hotSpots(written, 25));
    const file = join(folder, `${name.replace(/\W+/g, '-')}.cpuprofile`);
    renameSync(written, file);
    console.log(`\nCPU profile of ${name}: busy ${Math.round(busy * 100)} %, ${file}`);
    for (const { where, self } of spots) console.log(`  ${(self * 100).toFixed(1).padStart(5)} %  ${where}`);
  }
  return result;
}
