import { join } from 'node:path';
import { sourceWorker } from '@sluice/testkit';
import type { WorkerCode } from '../work-thread';

/** What the thread of `scriptedWorker` is given. */
export interface ScriptedData {
  code: string;
  shared: unknown;
}

/**
 * A thread whose every job runs `code`, the body of an asynchronous function of its `name`, its `input`, `shared`, its `host` and
 * the number of the `thread`.
 * @param shared memory that test and thread both see
 */
export function scriptedWorker(code: string, shared?: Int32Array): WorkerCode {
  const { file, options } = sourceWorker(join(__dirname, 'scripted.worker.ts'));
  const data: ScriptedData = { code, shared };
  return { file, options: { ...options, workerData: { ...options.workerData, ...data } } };
}
