import { eventBounds } from '../../../events/event-bounds';
import { cancelErrors, jobListOf, jobListQuery, jobRowsOf, jobRowsQuery, jobStatuses } from '../../../jobs/jobs';
import { defineRoute } from '../../../http/route';
import { verificationLimits, verifiedStatuses } from '../../../jobs/verification';
import { replayJobSchema } from './replay-job-schema';
import { bodyLimits, connectorParams, idText, nullableText, nullableTimestamp, timestamp, uuid } from '../shared';

const count = { type: 'integer', minimum: 0 } as const;

const job = {
  type: 'object',
  additionalProperties: false,
  required: [
    'id', 'entity', 'status', 'checked', 'matched', 'mismatched', 'missing', 'not_verifiable', 'error', 'created_at',
    'completed_at',
  ],
  properties: {
    id: uuid, entity: { type: 'string' }, status: { type: 'string', enum: [...jobStatuses.verification] },
    checked: { ...count, description: 'Records that were looked at: the four counts together.' },
    matched: count, mismatched: count,
    missing: { ...count, description: 'A record that is gone from the CRM, or an accepted event without a record.' },
    not_verifiable: { ...count, description: 'Nothing is known of what the CRM should hold.' },
    error: { ...nullableText, description: 'Why the verification failed as a whole.' },
    created_at: timestamp, completed_at: nullableTimestamp,
  },
} as const;

const row = {
  type: 'object',
  additionalProperties: false,
  required: ['external_id', 'crm_id', 'status', 'properties'],
  properties: {
    external_id: { type: 'string' }, crm_id: nullableText, status: { type: 'string', enum: verifiedStatuses },
    properties: {
      type: 'array',
      description: 'Those that differ.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'expected', 'actual'],
        properties: {
          name: { type: 'string' }, expected: { type: ['string', 'number', 'boolean', 'null'] }, actual: nullableText,
        },
      },
    },
  },
} as const;

const params = {
  type: 'object', required: ['connector_id', 'verification_id'],
  properties: { connector_id: idText, verification_id: idText },
} as const;
const found = ['connector_not_found', 'Not Found'] as const;
const route = { tag: 'Verifications', auth: 'config' } as const;
const path = '/api/connectors/:connector_id/verifications';

export const createVerification = defineRoute({
  ...route,
  name: 'create_verification', method: 'post', path,
  audit: { action: 'verification.create', target: 'verification' },
  summary: 'Compare many records of an entity with the CRM',
  description: [
    'Give exactly one of `sample`, `external_ids` and `since`. Per property, the value of the last write that landed is expected, as',
    'the active version projects it; a property that no event wrote is not compared. Values are compared by the type of the property',
    'in the CRM. It reads in the lowest class, writes nothing and does not count in the quota.',
  ].join(' '),
  params: connectorParams,
  bodyLimit: bodyLimits.medium,
  body: {
    type: 'object',
    additionalProperties: false,
    required: ['entity'],
    properties: {
      entity: { type: 'string', minLength: 1, maxLength: 128, description: 'An entity of the active version.' },
      sample: {
        type: 'object',
        additionalProperties: false,
        minProperties: 1,
        maxProperties: 1,
        description: 'Of the mapped records, drawn at random.',
        properties: {
          count: { type: 'integer', minimum: 1, maximum: verificationLimits.sample },
          percentage: { type: 'number', exclusiveMinimum: 0, maximum: 100, description: 'Rounded up.' },
        },
      },
      external_ids: {
        type: 'array', minItems: 1, maxItems: verificationLimits.externalIds,
        items: { type: 'string', minLength: 1, maxLength: eventBounds.externalId },
      },
      since: { ...timestamp, description: 'Records whose last write landed at or after it.' },
    },
  } as const,
  answers: { 202: { description: 'The verification runs soon.', schema: job } },
  errors: ['connector_not_found', 'connector_not_published'],
  examples: [
    { title: 'A sample', body: { entity: 'customer', sample: { percentage: 5 } } },
    { title: 'Some records', body: { entity: 'customer', external_ids: ['C-1', 'C-2'] } },
  ],
});

export const listVerifications = defineRoute({
  ...route,
  name: 'list_verifications', method: 'get', path, summary: 'Verifications, newest first',
  params: connectorParams, query: jobListQuery,
  answers: { 200: { description: 'The verifications.', schema: jobListOf(job) } },
  errors: ['connector_not_found'],
});

export const getVerification = defineRoute({
  ...route,
  name: 'get_verification', method: 'get', path: `${path}/:verification_id`, summary: 'Read a verification', params,
  answers: { 200: { description: 'The verification.', schema: job } },
  errors: [...found],
});

export const listVerificationRows = defineRoute({
  ...route,
  name: 'list_verification_rows', method: 'get', path: `${path}/:verification_id/rows`, summary: 'What a verification found',
  params, query: jobRowsQuery(verifiedStatuses),
  answers: { 200: { description: 'A page of records.', schema: jobRowsOf(row) } },
  errors: [...found],
});

export const cancelVerification = defineRoute({
  ...route,
  name: 'cancel_verification', method: 'post', path: `${path}/:verification_id/cancel`, summary: 'Stop a verification',
  audit: { action: 'verification.cancel', target: 'verification', param: 'verification_id' },
  params,
  answers: { 200: { description: 'The verification.', schema: job } },
  errors: [...cancelErrors],
});

export const repairVerification = defineRoute({
  ...route,
  name: 'repair_verification', method: 'post', path: `${path}/:verification_id/repair`,
  summary: 'Write the expected values of what differs again',
  description: [
    'Replays the last events of the records that are `mismatched`, as a replay job. What was accepted since the verification is not',
    'overwritten; records that are `missing` stay so.',
  ].join(' '),
  audit: { action: 'verification.repair', target: 'verification', param: 'verification_id' },
  params,
  answers: { 202: { description: 'The replay job: `GET /api/connectors/{id}/replays/{replay_id}`.', schema: replayJobSchema } },
  errors: [...found, 'job_running', 'nothing_to_repair'],
});
