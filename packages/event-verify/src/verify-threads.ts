import { join } from 'node:path';
import { createWorkThreads, type WorkThreads, type WorkThreadsOptions } from '@sluice/work-threads';
import type { VerifyJobs } from './verify-jobs';

/** The threads in which flows of events run again. */
export type VerifyThreads = WorkThreads<VerifyJobs>;

export interface VerifyThreadsOptions extends Omit<WorkThreadsOptions, 'worker'> {
  /** Default: the compiled worker beside this file. */
  worker?: WorkThreadsOptions['worker'];
}

export const createVerifyThreads = ({ worker, ...options }: VerifyThreadsOptions): VerifyThreads =>
  createWorkThreads<VerifyJobs>({ ...options, worker: worker ?? { file: join(__dirname, 'verify-jobs.worker.js') } });
