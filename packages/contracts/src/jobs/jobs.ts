import { nullableText, pageOf, pageQuery } from '../http/page-schema';

/**
 * What all jobs have in common: replays, bulk imports, verifications and what a verification repairs. A job is asked for with a
 * POST that answers 202 with it, is listed and read, and may be cancelled.
 */
export const jobStatuses = {
  replay: ['queued', 'running', 'completed', 'cancelled', 'failed'],
  bulk_import: ['queued', 'running', 'held', 'completed', 'completed_with_errors', 'cancelled', 'failed'],
  verification: ['queued', 'running', 'completed', 'failed', 'cancelled'],
} as const;
export type JobKind = keyof typeof jobStatuses;
export type JobStatus<K extends JobKind = JobKind> = (typeof jobStatuses)[K][number];

const endedStatuses = ['completed', 'completed_with_errors', 'cancelled', 'failed'] as const satisfies readonly JobStatus[];
export type EndedJobStatus = (typeof endedStatuses)[number];

/** Whether nothing of the job runs any more and nothing will, unless somebody asks for more. */
export const isEnded = (status: JobStatus): status is EndedJobStatus => (endedStatuses as readonly string[]).includes(status);

/**
 * What a request to cancel a job means. `cancel`: what has begun ends, nothing else begins. `already`: it was cancelled before,
 * and is answered as it is. `ended`: 409 `job_ended` with its status.
 */
export function cancelVerdict(status: JobStatus): 'cancel' | 'already' | 'ended' {
  if (status === 'cancelled') return 'already';
  return isEnded(status) ? 'ended' : 'cancel';
}

/** Query of a list of jobs, newest first. */
export const jobListQuery = pageQuery;

/** A page of jobs. */
export const jobListOf = pageOf;

/** Query of the rows of a job, narrowed to one status. A cursor that is none of ours is refused (422). */
export function jobRowsQuery<const S extends readonly string[]>(statuses: S) {
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      status: { type: 'string', enum: statuses },
      limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
      cursor: { type: 'string', maxLength: 256 },
    },
  } as const;
}

/** A page of the rows of a job. */
export function jobRowsOf<const R extends object>(row: R) {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['items', 'next_cursor'],
    properties: {
      items: { type: 'array', items: row },
      next_cursor: { ...nullableText, description: 'null on the last page.' },
    },
  } as const;
}

/** Codes that a route with a cancel names. */
export const cancelErrors = ['connector_not_found', 'Not Found', 'job_ended'] as const;
