import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second of /proc: 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** CPU seconds that processes and their children have used; null where the system does not tell (anything but Linux). */
export type CpuReading = Record<string, number> | null;

/**
 * Reads the CPU seconds of named processes, living children included (Postgres has one per connection).
 * @param pids name to process id
 */
export function readCpu(pids: Record<string, number>): CpuReading {
  const table = processTable();
  if (!table) return null;
  const total = (pid: number): number => {
    const own = table.get(pid);
    if (!own) return 0;
    const children = [...table].filter(([, { parent }]) => parent === pid).map(([child]) => total(child));
    return own.seconds + children.reduce((sum, seconds) => sum + seconds, 0);
  };
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, total(pid)]));
}

/** Cores used per name between two readings, `1` being one core all the time. */
export function coresUsed(before: CpuReading, after: CpuReading, elapsedMs: number): Record<string, number> {
  if (!before || !after) return {};
  return Object.fromEntries(Object.entries(after).map(([name, seconds]) => [name, Math.round(((seconds - (before[name] ?? 0)) / elapsedMs) * 100_000) / 100]));
}

function processTable(): Map<number, { parent: number; seconds: number }> | null {
  if (process.platform !== 'linux') return null;
  const table = new Map<number, { parent: number; seconds: number }>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = statOf(name);
    // What ended between the listing and the look has nothing to say.
    if (stat) table.set(Number(name), stat);
  }
  return table;
}

function statOf(pid: string): { parent: number; seconds: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command may hold spaces and brackets; what follows its last bracket does not.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    return { parent: Number(fields[1]), seconds: ticks / ticksPerSecond };
  } catch {
    return null; // It has ended.
  }
}
