/** Runs a worker thread's TypeScript as it is, for tests that run from the sources: `workerData.entry` names the file. */
import { workerData } from 'node:worker_threads';
import { runSource } from './register-sources.mjs';

runSource(workerData.entry);
