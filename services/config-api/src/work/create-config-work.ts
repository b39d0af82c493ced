import { join } from 'node:path';
import { createWorkThreads, type WorkThreads, type WorkThreadsOptions } from '@sluice/work-threads';
import { configJobs, type ConfigJobs } from './config-jobs';

/** Runs the jobs of config-api: in threads, and short walks over small documents at once. */
export type ConfigWork = WorkThreads<ConfigJobs>;

export interface ConfigWorkOptions extends Omit<WorkThreadsOptions, 'worker'> {
  /** Default: the compiled worker beside this file. */
  worker?: WorkThreadsOptions['worker'];
}

/** Jobs that read a document once or twice and run nothing of it: a document of a few kilobytes takes less than a millisecond. */
const walks: ReadonlySet<keyof ConfigJobs> = new Set<keyof ConfigJobs>([
  'compare_configs', 'describe_draft', 'diff_versions', 'preflight_needs', 'required_provisioning',
]);
/** Documents up to this size do not wait for a thread that other organizations may keep busy. */
const smallBytes = 16_384;

export function createConfigWork({ worker, ...options }: ConfigWorkOptions): ConfigWork {
  const threads = createWorkThreads<ConfigJobs>({
    ...options, worker: worker ?? { file: join(__dirname, 'config-jobs.worker.js') },
  });
  return {
    ...threads,
    run: async (group, name, input, given = {}) => {
      const isSmall = walks.has(name) && given.bytes !== undefined && given.bytes <= smallBytes;
      if (!isSmall) return threads.run(group, name, input, given);
      return (configJobs[name] as (input: unknown) => never)(input);
    },
  };
}
