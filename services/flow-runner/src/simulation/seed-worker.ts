/** A worker thread: runs the seeds it is told, one after the other, and answers each result. */
import { parentPort } from 'node:worker_threads';
import { runSeed } from './run-seed';

let turn = Promise.resolve();
parentPort?.on('message', (seed: number) => {
  turn = turn.then(async () => parentPort?.postMessage(await runSeed(seed)));
});
