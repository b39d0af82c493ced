import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** Heap bytes of a process after full garbage collections. */
export interface HeapReading {
  heapUsed: number;
  external: number;
  arrayBuffers: number;
  rss: number;
}

export const heapSocket = (folder: string, pid: number): string => join(folder, `${pid}.heap`);

/** Outcomes and index rows that are still in flight when the CRM has everything are stored within this time. */
const [readings, apartMs] = [3, 1_000];

/**
 * Makes a process run full garbage collections and report its heap: the least of some readings, so that work in flight does
 * not count.
 * @param folder where its probe (heap-probe.ts) has its socket
 */
export async function readHeap(folder: string, pid: number): Promise<HeapReading> {
  let least: HeapReading | undefined;
  for (let reading = 0; reading < readings; reading += 1) {
    await sleep(apartMs);
    const read = JSON.parse(await text(connect(heapSocket(folder, pid)))) as HeapReading;
    if (!least || read.heapUsed < least.heapUsed) least = read;
  }
  return least!;
}
