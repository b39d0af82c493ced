import { join } from 'node:path';
import type { Finding, Problem } from '@sluice/config-model';
import type { Logger } from '@sluice/ports';
import { apiError, type Metrics, rateLimitError } from '@sluice/service-kit';
import type { CheckJob } from './config-check.worker';
import { createCheckThread, type CheckThread, type WorkerCode } from './check-thread';
import { createFairQueue, type FairQueueLimits } from '../work/fair-queue';

/** What the caller says of a document; the checker adds what the installation allows. */
export type DocumentToCheck = Omit<CheckJob, 'privateTargets' | 'watchedFolder'>;

/** Checks config documents outside the event loop, in a bounded number of threads, each document within a time limit. */
export interface ConfigChecker {
  /**
   * All problems of a document, given as JSON, from `checkConfig`. Throws HttpError 422 `config_too_complex` when the check takes
   * longer or more memory than it may, 429 when too many checks of the organization wait, 503 when too many of all do.
   */
  check(organizationId: string, job: DocumentToCheck): Promise<Problem[]>;
  /** The same with the findings, if the job requests them. */
  inspect(organizationId: string, job: DocumentToCheck): Promise<Inspection>;
  /** Starts one thread, so that the first check does not wait for it. */
  start(): void;
  /** Ends the threads; checks under way are refused with 503. */
  stop(): Promise<void>;
}

export interface Inspection {
  problems: Problem[];
  /** At most 500. */
  findings: Finding[];
}

export interface ConfigCheckerOptions {
  threads: number;
  /** Milliseconds that one document may take. */
  timeLimitMs: number;
  /** Whether documents may name private and loopback addresses. */
  privateTargets: CheckJob['privateTargets'];
  /** Folder in which each organization has one that its file sources may watch, by its id; null: none may be watched. */
  fileRoot: string | null;
  logger: Logger;
  metrics: Metrics;
  /** Default: the compiled worker beside this file. */
  worker?: WorkerCode;
  limits?: FairQueueLimits;
}

/** Waiting documents of one organization: a few large or many small ones; in all as much as fits in a small heap. */
const usualLimits: FairQueueLimits = { perGroup: { items: 50, bytes: 8 * 1_048_576 }, bytes: 64 * 1_048_576 };

/** Problems in one answer at most. */
const maxFindings = 500;

interface Waiting {
  job: CheckJob;
  since: number;
  resolve(inspection: Inspection): void;
  reject(error: unknown): void;
}

export function createConfigChecker(options: ConfigCheckerOptions): ConfigChecker {
  const {
    logger,
    metrics,
    timeLimitMs,
    privateTargets,
    fileRoot,
    limits = usualLimits,
    worker = { file: join(__dirname, 'config-check.worker.js') },
  } = options;
  const queue = createFairQueue<Waiting>(limits);
  const durations = metrics.histogram({
    name: 'config_check_seconds',
    help: 'Duration of config checks, with the time they waited.',
    labels: ['outcome'],
  });
  metrics.gauge({ name: 'config_checks_waiting', help: 'Config checks that wait for a thread.' }, (gauge) =>
    gauge.set(queue.waiting()),
  );
  const threads: CheckThread[] = Array.from({ length: options.threads }, () => createCheckThread(worker, timeLimitMs));
  const idle = [...threads];
  let stopped = false;

  const run = async (thread: CheckThread, group: string, { job, since, resolve, reject }: Waiting): Promise<void> => {
    const result = await thread.run(job);
    durations.observe((performance.now() - since) / 1_000, { outcome: result.outcome });
    idle.push(thread);
    queue.finished(group);
    if (result.outcome === 'checked') resolve({ problems: result.problems, findings: result.findings.slice(0, maxFindings) });
    else reject(failure(result, group));
    dispatch();
  };
  const failure = (
    result: { outcome: 'too_complex' | 'stopped' } | { outcome: 'broken'; error: unknown },
    organizationId: string,
  ): unknown => {
    if (result.outcome === 'broken') return result.error;
    if (result.outcome === 'stopped') return apiError('service_unavailable', {}, { 'Retry-After': '1' });
    logger.warn('a config check was given up', { organization_id: organizationId, time_limit_ms: timeLimitMs });
    return apiError('config_too_complex', {
      message: 'The check of this config takes too long. Make it smaller or split it over several connectors.',
    });
  };
  const dispatch = (): void => {
    while (idle.length > 0) {
      const next = queue.take();
      if (!next) return;
      void run(idle.pop()!, next.group, next.item);
    }
  };
  const inspect: ConfigChecker['inspect'] = (organizationId, job) =>
    new Promise((resolve, reject) => {
      if (stopped) return reject(apiError('service_unavailable', {}, { 'Retry-After': '1' }));
      const watchedFolder = fileRoot === null ? null : join(fileRoot, organizationId);
      const waiting = { job: { ...job, privateTargets, watchedFolder }, since: performance.now(), resolve, reject };
      const answer = queue.push(organizationId, waiting, job.text.length);
      if (answer === 'group_full') return reject(rateLimitError({ limit: limits.perGroup.items, remaining: 0, resetMs: 1_000 }));
      if (answer === 'full') return reject(apiError('service_unavailable', {}, { 'Retry-After': '1' }));
      dispatch();
    });
  return {
    inspect,
    check: async (organizationId, job) => (await inspect(organizationId, job)).problems,
    // The thread for the first check.
    start: () => idle.at(-1)?.start(),
    stop: async () => {
      stopped = true;
      await Promise.all(threads.map((thread) => thread.stop()));
      // Waiting checks are answered, because a stopped thread refuses at once.
      dispatch();
    },
  };
}
