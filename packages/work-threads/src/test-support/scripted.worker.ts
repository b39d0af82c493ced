import { threadId, workerData } from 'node:worker_threads';
import type { JobTable } from '../job-table';
import { serveJobs } from '../serve-jobs';
import type { ScriptedData } from './scripted-worker';

type Run = (name: string, input: unknown, shared: unknown, host: unknown, thread: number) => Promise<unknown>;
const AsyncFunction = (async () => undefined).constructor as new (...parts: string[]) => Run;

const { code, shared } = workerData as ScriptedData;
const run = new AsyncFunction('name', 'input', 'shared', 'host', 'thread', code);
const everyName: ProxyHandler<JobTable> = {
  get: (_jobs, name) => (input: unknown, host: unknown) => run(String(name), input, shared, host, threadId),
};
serveJobs(new Proxy({}, everyName));
