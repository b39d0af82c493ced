/** Work in the background under a lease: workers, their runner, times of cron expressions. */
export { addBackground, type BackgroundOptions } from './add-background';
export { BackgroundRunner, type BackgroundRunnerDeps } from './background-runner';
export { nextCronTime } from './next-cron-time';
export { sleep } from './sleep';
export { type Again, defineWorker, type RunContext, type Schedule, type Worker } from './worker';
