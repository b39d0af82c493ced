import { importRowStatuses } from '../jobs/bulk-import';
import { jobStatuses } from '../jobs/jobs';
import { verifiedStatuses } from '../jobs/verification';
import { count, line, list, nullableCount, nullableText, nullableTime, object, text, time, uuid } from './line-schema';

export const importJobLine = line({
  connector_id: uuid,
  id: uuid,
  entity: text,
  event_type: text,
  status: { type: 'string', enum: jobStatuses.bulk_import },
  rows_total: count,
  rows_done: count,
  rows_failed: count,
  rows_skipped: count,
  rows_held: count,
  created_at: time,
  completed_at: nullableTime,
});

export const importRowLine = line({
  connector_id: uuid,
  import_id: uuid,
  line: count,
  external_id: nullableText,
  status: { type: 'string', enum: importRowStatuses },
  crm_id: nullableText,
  error: nullableText,
  error_code: nullableText,
});

export const verificationJobLine = line({
  connector_id: uuid,
  id: uuid,
  entity: text,
  status: { type: 'string', enum: jobStatuses.verification },
  checked: count,
  matched: count,
  mismatched: count,
  missing: count,
  not_verifiable: count,
  error: nullableText,
  created_at: time,
  completed_at: nullableTime,
});

export const verificationRowLine = line({
  connector_id: uuid,
  verification_id: uuid,
  external_id: text,
  crm_id: nullableText,
  status: { type: 'string', enum: verifiedStatuses },
  properties: { ...list, items: object },
});

export const sourceFileLine = line({
  connector_id: uuid,
  source: text,
  file_id: uuid,
  filename: text,
  status: { type: 'string', enum: ['received', 'processing', 'completed', 'failed'] },
  rows_total: nullableCount,
  rows_queued: count,
  rows_discarded: count,
  received_at: time,
});

export const discardedRowLine = line({
  connector_id: uuid, source: text, file_id: uuid, line: count, reason: text, raw: nullableText,
});
