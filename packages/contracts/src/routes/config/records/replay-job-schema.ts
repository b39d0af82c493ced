import { jobStatuses } from '../../../jobs/jobs';
import { nullableText, nullableTimestamp, timestamp, uuid } from '../shared';

const count = { type: 'integer', minimum: 0 } as const;

/** A replay job as its routes answer it. */
export const replayJobSchema = {
  type: 'object',
  additionalProperties: false,
  required: [
    'id', 'status', 'matched', 'replayed', 'skipped', 'failed', 'dry_run', 'force', 'rate_per_second', 'error', 'created_at',
    'completed_at',
  ],
  properties: {
    id: uuid,
    status: { type: 'string', enum: [...jobStatuses.replay] },
    matched: { ...count, description: 'Records that were looked at.' },
    replayed: { ...count, description: 'Records that were started again, whatever became of them: each has a row of its own.' },
    skipped: {
      ...count,
      description: 'Records that are under way or have succeeded since, and quarantined ones without `force`.',
    },
    failed: { ...count, description: 'Records that could not be started: their payload is past its retention.' },
    dry_run: { type: 'boolean' }, force: { type: 'boolean' }, rate_per_second: { type: ['integer', 'null'] },
    error: nullableText, created_at: timestamp, completed_at: nullableTimestamp,
  },
} as const;
