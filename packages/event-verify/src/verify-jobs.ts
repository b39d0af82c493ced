import type { JobTable } from '@sluice/work-threads';
import { verifyEventJob } from './verify-event-job';

/** What the threads of verify do. */
export const verifyJobs = { verify_event: verifyEventJob } satisfies JobTable;

export type VerifyJobs = typeof verifyJobs;
