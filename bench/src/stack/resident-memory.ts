import { setTimeout as sleep } from 'node:timers/promises';
import { growth, type HeapPoint } from '../soak/flatness';

const everyMs = 500;

/** Resident memory of a service now, bytes: what it says of itself at `/metrics`. */
async function readResident(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes(?:\{[^}]*\})? (\S+)$/m.exec(text)?.[1] ?? Number.NaN);
}

/** Memory of a service over a piece of work. */
export interface MemoryOverWork {
  /** Largest reading, MB. */
  mostMb: number;
  /** Largest reading of the second half of the work over that of the first, its first tenth left out. */
  growth: number;
}

/**
 * Reads the memory of services until their work is done.
 * @param services their addresses, by name
 * @param done how much of it is done; the readings end when it is `total`
 */
export async function memoryWhile(
  services: Readonly<Record<string, string>>, done: () => Promise<number>, total: number,
): Promise<Record<string, MemoryOverWork>> {
  const points: Record<string, HeapPoint[]> = Object.fromEntries(Object.keys(services).map((name) => [name, []]));
  for (let records = await done(); ; records = await done()) {
    for (const [name, url] of Object.entries(services)) points[name]!.push({ records, bytes: await readResident(url) });
    if (records >= total) break;
    await sleep(everyMs);
  }
  return Object.fromEntries(Object.entries(points).map(([name, all]) => [name, {
    mostMb: Math.round(Math.max(...all.map(({ bytes }) => bytes)) / 1e6), growth: growth(all, total),
  }]));
}
