import { join } from 'node:path';

/**
 * Where the code of a worker is when a test runs from the sources: worker threads know nothing of jest's compiler.
 * @param entry absolute path of the worker's TypeScript file
 */
export function sourceWorker(entry: string): { file: string; options: { execArgv: string[]; workerData: { entry: string } } } {
  return {
    file: join(__dirname, 'run-source.worker.mjs'),
    options: { execArgv: ['--conditions=sluice-source'], workerData: { entry } },
  };
}
