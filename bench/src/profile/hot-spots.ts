import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

interface CallFrame {
  functionName: string;
  url: string;
  lineNumber: number;
}

interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame }[];
  samples: number[];
  timeDeltas: number[];
}

interface AllocationNode {
  callFrame: CallFrame;
  selfSize: number;
  children: AllocationNode[];
}

/** A function and its part of the busy time, or of the bytes. */
export interface HotSpot {
  where: string;
  self: number;
}

/** What is no function of a file; `dispatch` is the profiler itself, which starts and ends. */
const notWork = new Set(['(idle)', '(program)', '(root)', 'dispatch']);

/** The functions of a CPU profile that took most time themselves, without what they call. Parts of the time not idle. */
export function hotSpots(file: string, count: number): { busy: number; spots: HotSpot[] } {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const self = new Map<string, number>();
  let all = 0;
  let busy = 0;
  samples.forEach((id, index) => {
    const time = timeDeltas[index] ?? 0;
    const { callFrame } = byId.get(id)!;
    all += time;
    if (callFrame.url === '' && notWork.has(callFrame.functionName)) return;
    busy += time;
    add(self, callFrame, time);
  });
  return { busy: busy / all, spots: largest(self, busy, count) };
}

/** The functions of an allocation profile whose own objects took most bytes, collected ones included. Parts of all bytes. */
export function allocators(file: string, count: number): { bytes: number; spots: HotSpot[] } {
  const { head } = JSON.parse(readFileSync(file, 'utf8')) as { head: AllocationNode };
  const self = new Map<string, number>();
  let bytes = 0;
  const waiting = [head];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    bytes += node.selfSize;
    if (node.selfSize > 0) add(self, node.callFrame, node.selfSize);
    waiting.push(...node.children);
  }
  return { bytes, spots: largest(self, bytes, count) };
}

function add(self: Map<string, number>, { functionName, url, lineNumber }: CallFrame, amount: number): void {
  const where = `${functionName || '(anonymous)'} ${placeOf(url)}:${lineNumber + 1}`;
  self.set(where, (self.get(where) ?? 0) + amount);
}

const largest = (self: Map<string, number>, all: number, count: number): HotSpot[] =>
  [...self].sort((a, b) => b[1] - a[1]).slice(0, count).map(([where, amount]) => ({ where, self: amount / all }));

function placeOf(url: string): string {
  if (!url.startsWith('file:')) return url.replace(/^.*node_modules\//, '');
  return relative(process.cwd(), fileURLToPath(url)).replace(/^.*node_modules\//, '');
}
