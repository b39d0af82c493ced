import type { Logger, MonotonicClock } from '@sluice/ports';
import { apiError, createTokenBuckets, type Metrics, rateLimitError } from '@sluice/service-kit';
import { createFairQueue, type FairQueueLimits } from './fair-queue';
import type { InputOf, JobAnswers, JobName, ResultOf } from './job-table';
import { createWorkThread, type ThreadResult, type WorkerCode } from './work-thread';

export interface RunOptions {
  /** Size of what the job is given, for the bound on what waits, and for the budget: reading and passing it on is work too. */
  bytes?: number;
  /** What the job may ask for while it runs. */
  answers?: JobAnswers;
}

/**
 * Runs jobs in a bounded number of threads, outside the event loop. Groups (organizations) take turns: each has one job under way
 * at a time, a bounded queue, and a budget of time.
 */
export interface WorkThreads<Jobs> {
  /**
   * Throws HttpError 422 `config_too_complex` when the job takes longer or more memory than it may, 429 when too many jobs of the
   * group wait or its budget is used up, 503 when too much of all groups waits. A job that throws is an unexpected error.
   */
  run<Name extends JobName<Jobs>>(
    group: string,
    name: Name,
    input: InputOf<Jobs[Name]>,
    options?: RunOptions,
  ): Promise<ResultOf<Jobs[Name]>>;
  /** For work of the group outside the threads. Throws HttpError 429 when the budget of the group is used up. */
  assertBudget(group: string): void;
  /** Counts a document that is read and sent on the event loop, with the group's budget of time. @param bytes its size */
  spend(group: string, bytes: number): void;
  /** Starts one thread, so that the first job does not wait for it. */
  start(): void;
  /** Ends the threads; jobs under way are refused with 503. */
  stop(): Promise<void>;
}

export interface WorkThreadsOptions {
  threads: number;
  /** Milliseconds that one job may take. */
  timeLimitMs: number;
  /** Milliseconds of thread time that a group may use per minute, and at once after a rest; null: no budget. */
  budgetMsPerMinute: number | null;
  logger: Logger;
  metrics: Metrics;
  worker: WorkerCode;
  limits?: FairQueueLimits;
  /** For the budget. */
  monotonicNow: MonotonicClock;
}

/** What waits of one group: a few large jobs or many small ones; in all as much as fits in a small heap. */
const usualLimits: FairQueueLimits = { perGroup: { items: 50, bytes: 8 * 1_048_576 }, bytes: 64 * 1_048_576 };
/** Bytes that the event loop reads from the store, writes for a thread and sends in about a millisecond. */
const bytesPerMs = 100_000;
/** Groups whose budgets are counted at once. */
const maxGroups = 50_000;

interface Waiting {
  name: string;
  input: unknown;
  options: RunOptions;
  since: number;
  resolve(result: never): void;
  reject(error: unknown): void;
}

export function createWorkThreads<Jobs>(options: WorkThreadsOptions): WorkThreads<Jobs> {
  const { timeLimitMs, worker, limits = usualLimits } = options;
  const queue = createFairQueue<Waiting>(limits);
  const budget = budgetOf(options);
  const observe = observed(options, () => queue.waiting());
  const threads = Array.from({ length: options.threads }, () => createWorkThread(worker, timeLimitMs));
  const idle = [...threads];
  let stopped = false;

  const runNext = async (group: string, { name, input, options: given, ...waiting }: Waiting): Promise<void> => {
    const { answers = {}, bytes = 0 } = given;
    const thread = idle.pop()!;
    const result = await thread.run({ name, input, answers });
    budget.spend(group, result.usedMs + bytes / bytesPerMs);
    observe(group, name, result, waiting.since);
    idle.push(thread);
    queue.finished(group);
    if (result.outcome === 'done') waiting.resolve(result.result as never);
    else waiting.reject(failure(result));
    dispatch();
  };
  const dispatch = (): void => {
    while (idle.length > 0) {
      const next = queue.take();
      if (!next) return;
      const refusal = stopped ? undefined : budget.refusal(next.group);
      if (!refusal) void runNext(next.group, next.item);
      else {
        queue.finished(next.group);
        next.item.reject(refusal);
      }
    }
  };
  return {
    run: (group, name, input, given = {}) =>
      new Promise((resolve, reject) => {
        if (stopped) return reject(unavailable());
        const refusal = budget.refusal(group);
        if (refusal) return reject(refusal);
        const waiting = { name, input, options: given, since: performance.now(), resolve, reject };
        const answer = queue.push(group, waiting, given.bytes ?? 0);
        if (answer === 'group_full') return reject(groupFull(limits));
        if (answer === 'full') return reject(unavailable());
        dispatch();
      }),
    assertBudget: (group) => {
      const refusal = budget.refusal(group);
      if (refusal) throw refusal;
    },
    spend: (group, bytes) => budget.spend(group, bytes / bytesPerMs),
    // The thread for the first job.
    start: () => idle.at(-1)?.start(),
    stop: async () => {
      stopped = true;
      await Promise.all(threads.map((thread) => thread.stop()));
      // Waiting jobs are answered, because a stopped thread refuses at once.
      dispatch();
    },
  };
}

const groupFull = ({ perGroup: { items: limit } }: FairQueueLimits): Error =>
  rateLimitError({ limit, remaining: 0, resetMs: 1_000 });
const unavailable = (): Error => apiError('service_unavailable', {}, { 'Retry-After': '1' });

function failure(result: Exclude<ThreadResult, { outcome: 'done' }>): unknown {
  if (result.outcome === 'broken') return result.error;
  if (result.outcome === 'stopped') return unavailable();
  return apiError('config_too_complex', {
    message: 'This takes too long or too much memory. Make the config smaller, split it over several connectors, or send less data.',
  });
}

interface Budget {
  /** The error for a group whose budget is used up. */
  refusal(group: string): Error | undefined;
  spend(group: string, ms: number): void;
}

/** Jobs of the group that begin while it is not used up may take more than is left: that is owed. */
function budgetOf({ budgetMsPerMinute, monotonicNow }: WorkThreadsOptions): Budget {
  if (budgetMsPerMinute === null) return { refusal: () => undefined, spend: () => undefined };
  const capacity = Math.max(1, budgetMsPerMinute);
  const buckets = createTokenBuckets({ capacity, perSecond: capacity / 60, maxKeys: maxGroups, monotonicNow });
  return {
    refusal: (group) => {
      if (buckets.left(group) >= 1) return undefined;
      const waitMs = buckets.waitMs(group);
      return rateLimitError({ limit: Math.ceil(capacity / 1_000), remaining: 0, resetMs: waitMs, retryAfterMs: waitMs });
    },
    spend: (group, ms) => buckets.take(group, ms),
  };
}

type Observe = (group: string, job: string, result: ThreadResult, since: number) => void;

function observed({ logger, metrics, timeLimitMs }: WorkThreadsOptions, waiting: () => number): Observe {
  const durations = metrics.histogram({
    name: 'work_thread_seconds',
    help: 'Duration of jobs in worker threads, with the time they waited.',
    labels: ['job', 'outcome'],
  });
  metrics.gauge({ name: 'work_thread_waiting', help: 'Jobs that wait for a worker thread.' }, (gauge) => gauge.set(waiting()));
  return (group, job, result, since) => {
    durations.observe((performance.now() - since) / 1_000, { job, outcome: result.outcome });
    if (result.outcome === 'too_complex')
      logger.warn('a job in a worker thread was given up', { organization_id: group, job, time_limit_ms: timeLimitMs });
  };
}
