import { cancelVerdict, type JobStatus } from '@sluice/contracts';
import { apiError } from '@sluice/service-kit';

/** Whether a job of this status is still to be cancelled; false: it was. @throws HttpError 409 `job_ended` */
export function mayCancel(status: JobStatus): boolean {
  const verdict = cancelVerdict(status);
  if (verdict === 'ended') throw apiError('job_ended', { status });
  return verdict === 'cancel';
}
