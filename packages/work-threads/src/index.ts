export * from './create-work-threads';
export * from './fair-queue';
export type { JobAnswers, JobHost, JobName, JobTable, InputOf, ResultOf } from './job-table';
export type { WorkerCode } from './work-thread';
