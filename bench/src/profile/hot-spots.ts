import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] }[];
  samples: number[];
  timeDeltas: number[];
}

/** A function and its part of the busy time. */
export interface HotSpot {
  where: string;
  self: number;
}

const idle = new Set(['(idle)', '(program)', '(root)']);

/** The functions of a CPU profile that took most time themselves, without what they call. Parts of the time not idle. */
export function hotSpots(file: string, count: number): { busy: number; spots: HotSpot[] } {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8')) as Profile;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const self = new Map<string, number>();
  let all = 0;
  let busy = 0;
  samples.forEach((id, index) => {
    const time = timeDeltas[index] ?? 0;
    const frame = byId.get(id)!.callFrame;
    all += time;
    if (idle.has(frame.functionName)) return;
    busy += time;
    const where = `${frame.functionName || '(anonymous)'} ${placeOf(frame.url)}:${frame.lineNumber + 1}`;
    self.set(where, (self.get(where) ?? 0) + time);
  });
  const spots = [...self].sort((a, b) => b[1] - a[1]).slice(0, count).map(([where, time]) => ({ where, self: time / busy }));
  return { busy: busy / all, spots };
}

function placeOf(url: string): string {
  if (!url.startsWith('file:')) return url.replace(/^.*node_modules\//, '');
  return relative(process.cwd(), fileURLToPath(url)).replace(/^.*node_modules\//, '');
}
