import { join } from 'node:path';

/** Environment of a service whose heap `readHeap` reads in a folder. @param nodeOptions further options of Node */
export const heapProbeEnv = (folder: string, nodeOptions = ''): { SLUICE_BENCH_HEAP_FOLDER: string; NODE_OPTIONS: string } => ({
  SLUICE_BENCH_HEAP_FOLDER: folder, NODE_OPTIONS: `${nodeOptions} --require ${join(__dirname, 'heap-probe.js')}`.trim(),
});
