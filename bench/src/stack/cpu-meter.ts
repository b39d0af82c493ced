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

/** CPU time between two readings. */
export interface CpuUse {
  /** Cores used per name; `1` is one core all the time. */
  cores: Record<string, number>;
  /** CPU seconds per name. */
  parts: Record<string, number>;
  /** CPU seconds of all together. Other work of the machine disturbs it less than any rate. */
  seconds: number;
}

export function cpuBetween(before: CpuReading, after: CpuReading, elapsedMs: number): CpuUse {
  if (!before || !after) return { cores: {}, parts: {}, seconds: 0 };
  const used = Object.entries(after).map(([name, seconds]): [string, number] => [name, seconds - (before[name] ?? 0)]);
  return {
    cores: Object.fromEntries(used.map(([name, seconds]) => [name, (seconds / elapsedMs) * 1000])),
    parts: Object.fromEntries(used),
    seconds: used.reduce((sum, [, seconds]) => sum + seconds, 0),
  };
}

/** What used more than a twentieth of a core, for a table. */
export const busiest = ({ cores }: CpuUse): string =>
  Object.entries(cores)
    .filter(([, used]) => used >= 0.05)
    .sort((a, b) => b[1] - a[1])
    .map(([name, used]) => `${name} ${used.toFixed(2)}`)
    .join(', ');

/** Microseconds of CPU per record of each part that used one or more, most first, for a table. */
export const perRecord = ({ parts }: CpuUse, records: number): string =>
  Object.entries(parts)
    .map(([name, seconds]): [string, number] => [name, Math.round((seconds / records) * 1e6)])
    .filter(([, us]) => us >= 1)
    .sort((a, b) => b[1] - a[1])
    .map(([name, us]) => `${name} ${us}`)
    .join(', ');

function processTable(): Map<number, { parent: number; seconds: number }> | null {
  if (process.platform !== 'linux') return null;
  const table = new Map<number, { parent: number; seconds: number }>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = statOf(name);
    // A process that ended between the listing and the read has no values.
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
