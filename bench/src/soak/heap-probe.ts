import { unlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { type HeapReading, heapSocket } from './heap-reading';

/** Loaded into a service by the soak: a client of its socket gets the heap size after full garbage collections. */
const folder = process.env['SLUICE_BENCH_HEAP_FOLDER'];
// Processes that the service starts have the same environment: each gets a socket of its own, and only the service's is asked.
if (folder !== undefined && isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const path = heapSocket(folder, process.pid);
  const server = createServer((socket) => {
    // The second collection frees what the finalizers of the first one released.
    collect();
    setTimeout(() => {
      collect();
      const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage();
      const reading: HeapReading = { heapUsed, external, arrayBuffers, rss };
      socket.end(JSON.stringify(reading));
    }, 100);
  });
  server.listen(path).unref();
  process.once('exit', () => {
    try {
      unlinkSync(path);
    } catch {
      // It never listened, or the folder is gone: nothing is left to remove.
    }
  });
}
