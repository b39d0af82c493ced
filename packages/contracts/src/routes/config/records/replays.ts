import { cancelErrors, jobListOf, jobListQuery } from '../../../jobs/jobs';
import { defineRoute } from '../../../http/route';
import { replayJobSchema } from './replay-job-schema';
import { bodyLimits, connectorParams, idText, timestamp, uuid } from '../shared';

const text = { type: 'string', minLength: 1, maxLength: 512 } as const;

const filter = {
  type: 'object',
  additionalProperties: false,
  description: 'Everything that is named must apply; `{}`: every record that may be replayed.',
  properties: {
    status: {
      type: 'array', minItems: 1, maxItems: 5, uniqueItems: true,
      items: { type: 'string', enum: ['failed', 'parked', 'partial_success', 'dlq', 'quarantined'] },
      description: 'Default: all of them, quarantined ones with `force` only.',
    },
    flow: text, entity: text,
    external_ids: { type: 'array', minItems: 1, maxItems: 1_000, items: text },
    since: { ...timestamp, description: 'Accepted at or after.' },
    until: { ...timestamp, description: 'Accepted before.' },
  },
} as const;

const params = {
  type: 'object', required: ['connector_id', 'replay_id'], properties: { connector_id: idText, replay_id: idText },
} as const;

export const createReplayJob = defineRoute({
  name: 'create_replay_job',
  method: 'post',
  path: '/api/connectors/:connector_id/replays',
  tag: 'Monitoring',
  auth: 'config',
  audit: { action: 'replay.create', target: 'replay' },
  summary: 'Run many records again under the version that is active now',
  description: [
    'Give `filter` or `ids`, not both. A record is matched once, by its newest row that needs attention. Records that are accepted',
    'after the request do not belong to the job. Records run in the order in which they were accepted, beside and below live',
    'events; they do not count in the quota. `dry_run` counts what is matched and what of it would be skipped, and starts nothing.',
  ].join(' '),
  params: connectorParams,
  bodyLimit: bodyLimits.medium,
  body: {
    type: 'object',
    additionalProperties: false,
    properties: {
      filter,
      ids: { type: 'array', minItems: 1, maxItems: 1_000, items: uuid, description: 'Ids of rows of records.' },
      force: { type: 'boolean', default: false, description: 'Overwrite newer values; replay quarantined records too.' },
      dry_run: { type: 'boolean', default: false },
      rate_per_second: { type: 'integer', minimum: 1, maximum: 1_000, description: 'Evenly spread. Default: unlimited.' },
    },
  } as const,
  answers: { 202: { description: 'The job runs soon.', schema: replayJobSchema } },
  errors: ['connector_not_found'],
});

export const listReplayJobs = defineRoute({
  name: 'list_replay_jobs', method: 'get', path: '/api/connectors/:connector_id/replays', tag: 'Monitoring', auth: 'config',
  summary: 'Replay jobs, newest first', params: connectorParams, query: jobListQuery,
  answers: { 200: { description: 'The jobs.', schema: jobListOf(replayJobSchema) } },
  errors: ['connector_not_found'],
});

export const getReplayJob = defineRoute({
  name: 'get_replay_job', method: 'get', path: '/api/connectors/:connector_id/replays/:replay_id', tag: 'Monitoring',
  auth: 'config', summary: 'Read a replay job', params,
  answers: { 200: { description: 'The job.', schema: replayJobSchema } },
  errors: ['connector_not_found', 'Not Found'],
});

export const cancelReplayJob = defineRoute({
  name: 'cancel_replay_job', method: 'post', path: '/api/connectors/:connector_id/replays/:replay_id/cancel', tag: 'Monitoring',
  auth: 'config', audit: { action: 'replay.cancel', target: 'replay', param: 'replay_id' },
  summary: 'Stop a replay job',
  description: 'What has begun ends; nothing begins after the answer.',
  params,
  answers: { 200: { description: 'The job.', schema: replayJobSchema } },
  errors: [...cancelErrors],
});
