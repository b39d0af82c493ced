import { growth, type HeapPoint } from './flatness';
import { readHeap } from './heap-reading';

/** A collected heap is called flat when its second half is at most so many times its first, as in the soak. */
export const flatBelow = 1.1;

/** Heaps of the processes that take part in a work of many records, after parts of it. */
export class HeapCurve {
  readonly rows: Record<string, unknown>[] = [];
  private readonly points = new Map<string, HeapPoint[]>();

  /** @param folder where their probes have their sockets */
  constructor(private readonly folder: string, private readonly pids: Readonly<Record<string, number>>) {}

  /** Reads them, which takes some seconds. @param seconds since the work began */
  async read(records: number, seconds: number): Promise<void> {
    const row: Record<string, unknown> = { records, seconds: Math.round(seconds) };
    for (const [name, pid] of Object.entries(this.pids)) {
      const { heapUsed, external } = await readHeap(this.folder, pid);
      this.points.set(name, [...(this.points.get(name) ?? []), { records, bytes: heapUsed + external }]);
      row[`${name} MB`] = Math.round((heapUsed + external) / 1e5) / 10;
    }
    this.rows.push(row);
    console.log(`  ${JSON.stringify(row)}`);
  }

  /** How much more each process holds in the second half than in the first. */
  growths(total: number): [name: string, growth: number][] {
    return [...this.points].map(([name, points]) => [name, growth(points, total)]);
  }
}
