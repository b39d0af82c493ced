import { defineRoute } from '../../../http/route';
import { connectorParams, nullableText, nullableTimestamp, syncEventParams, timestamp, uuid } from '../shared';

const status = {
  type: 'string', enum: ['completed', 'skipped', 'failed', 'parked', 'partial_success', 'dlq', 'quarantined'],
} as const;
/**
 * Lengths of what comes in a URL: percent-encoded it is up to twelve times as long, and all headers of a request together have 16
 * KiB.
 */
const text = { type: 'string', maxLength: 128 } as const;

const rowProperties = {
  id: { ...uuid, description: 'The id of the row, used to request a replay.' },
  event_id: { type: 'string' },
  flow_name: nullableText,
  source_name: { type: 'string' },
  event_type: { type: 'string' },
  entity_name: nullableText,
  external_id: nullableText,
  action: nullableText,
  step_id: nullableText,
  status,
  error: nullableText,
  error_kind: { type: ['string', 'null'], enum: ['transient', 'permanent', 'fatal', null] },
  error_code: nullableText,
  reason: { ...nullableText, description: 'For example superseded, flow_disabled, crashed_runner.' },
  crm_id: nullableText,
  attempts: { type: 'integer', minimum: 0 },
  replayable: {
    type: 'boolean',
    description: 'Its status allows a replay (a quarantined one with `force`), and no later run of the record has completed.',
  },
  config_version: { type: ['integer', 'null'] },
  run: { type: 'string', description: '`first`, or the id of a replay.' },
  item: { ...nullableText, description: 'Of an element of a bulk step: `<step id>/<place in the list>`.' },
  created_at: { ...timestamp, description: 'When the event was accepted.' },
  completed_at: timestamp,
} as const;

const rowNames = Object.keys(rowProperties) as (keyof typeof rowProperties)[];

const listedRow = { type: 'object', additionalProperties: false, required: rowNames, properties: rowProperties } as const;

const step = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'action', 'status', 'output', 'error', 'started_at', 'duration_ms', 'attempts'],
  properties: {
    id: { type: 'string' },
    action: { type: 'string' },
    status: { type: 'string', enum: ['ok', 'skipped', 'failed', 'retried'] },
    output: {},
    error: nullableText,
    started_at: timestamp,
    duration_ms: { type: 'number', minimum: 0 },
    attempts: { type: 'integer', minimum: 0 },
  },
} as const;

export const listSyncEvents = defineRoute({
  name: 'list_sync_events',
  method: 'get',
  path: '/api/connectors/:connector_id/sync-events',
  tag: 'Monitoring',
  auth: 'config',
  summary: 'Outcomes of records: one row for each record and run that ended, newest first',
  description: [
    '`since` and `until` (exclusive) compare with the accept time. One call looks at 10,000 rows at most: where few of them',
    'match, a page holds less than `limit`, also nothing, and `next_cursor` leads on.',
  ].join(' '),
  params: connectorParams,
  query: {
    type: 'object',
    additionalProperties: false,
    properties: {
      status,
      flow: text,
      entity: text,
      external_id: { type: 'string', maxLength: 512 },
      event_id: text,
      since: timestamp,
      until: timestamp,
      limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
      cursor: { type: 'string', maxLength: 256 },
    },
  } as const,
  answers: {
    200: {
      description: '`next_cursor` is null on the last page.',
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['items', 'next_cursor'],
        properties: { items: { type: 'array', items: listedRow }, next_cursor: nullableText },
      },
    },
  },
  errors: ['connector_not_found'],
});

const heldReason = {
  type: 'string',
  enum: [
    'retry', 'fatal', 'breaker_open', 'paused', 'organization_stopped', 'write_cap', 'counterpart', 'backlog', 'portal_dry',
    'portal_unavailable', 'blob_unavailable', 'late_write', 'ordering',
  ],
} as const;

const heldProperties = {
  event_id: { type: 'string' },
  entity_index: { type: 'integer', minimum: 0, description: 'Which record of the event.' },
  run: rowProperties.run,
  flow_name: nullableText,
  event_type: { ...nullableText, description: 'null: the event is not in the event index yet, or not any more.' },
  external_id: nullableText,
  reason: heldReason,
  until: { ...nullableTimestamp, description: 'When it is tried next; null: it waits for a change of state.' },
  attempts: rowProperties.attempts,
  error: { ...nullableText, description: 'What its last attempt said.' },
  error_code: nullableText,
  accepted_at: nullableTimestamp,
  held_since: timestamp,
} as const;

export const listHeldEvents = defineRoute({
  name: 'list_held_events',
  method: 'get',
  path: '/api/connectors/:connector_id/held-events',
  tag: 'Monitoring',
  auth: 'config',
  summary: 'Events that wait: why, until when, and what their last attempt said',
  description: [
    'Events of one partition come in the order in which they were accepted. One call looks at 10,000 rows at most: where few of',
    'them match, a page holds less than `limit`, also nothing, and `next_cursor` leads on.',
  ].join(' '),
  params: connectorParams,
  query: {
    type: 'object',
    additionalProperties: false,
    properties: {
      reason: heldReason,
      flow: text,
      limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
      cursor: { type: 'string', maxLength: 512 },
    },
  } as const,
  answers: {
    200: {
      description: '`next_cursor` is null on the last page.',
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['items', 'next_cursor'],
        properties: {
          items: {
            type: 'array',
            items: {
              type: 'object', additionalProperties: false, required: Object.keys(heldProperties), properties: heldProperties,
            },
          },
          next_cursor: nullableText,
        },
      },
    },
  },
  errors: ['connector_not_found'],
});

export const summarizeSyncEvents = defineRoute({
  name: 'summarize_sync_events',
  method: 'get',
  path: '/api/connectors/:connector_id/sync-events/summary',
  tag: 'Monitoring',
  auth: 'config',
  summary: 'Number of records by status',
  params: connectorParams,
  query: {
    type: 'object',
    additionalProperties: false,
    properties: {
      since: { ...timestamp, description: 'Default: 7 days ago.' },
      until: timestamp,
      include: { type: 'string', enum: ['skips_by_flow'] },
    },
  } as const,
  answers: {
    200: {
      description: [
        'Without `since` and `until` all records are counted that ended in the last 7 days. With them the rows of the range are counted',
        'by their accept time. `scan_capped`: there are more than 20,000 of them; the answer then counts the records that ended since the',
        'UTC hour of `since` (the UTC day where it is older than 39 days; skips by flow: always the day), before the hour of `until` is over.',
      ].join(' '),
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['by_status', 'since', 'until', 'scanned', 'scan_capped'],
        properties: {
          by_status: { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } },
          skips_by_flow: {
            type: 'object',
            additionalProperties: { type: 'integer', minimum: 0 },
            description: 'With `include=skips_by_flow`. What no flow was subscribed to is counted under the empty name.',
          },
          since: timestamp,
          until: timestamp,
          scanned: { type: 'integer', minimum: 0 },
          scan_capped: { type: 'boolean' },
        },
      },
    },
  },
  errors: ['connector_not_found'],
});

export const getSyncEvent = defineRoute({
  name: 'get_sync_event',
  method: 'get',
  path: '/api/connectors/:connector_id/sync-events/:sync_event_id',
  tag: 'Monitoring',
  auth: 'config',
  summary: 'Read the outcome of a record, with its steps and its event\'s payload',
  params: syncEventParams,
  answers: {
    200: {
      description: '`payload` is null when it is no longer kept; `payload_kept` distinguishes that from a payload that is null.',
      schema: {
        type: 'object',
        additionalProperties: false,
        required: [...rowNames, 'steps', 'payload', 'payload_kept'],
        properties: { ...rowProperties, steps: { type: 'array', items: step }, payload: {}, payload_kept: { type: 'boolean' } },
      },
    },
  },
  errors: ['connector_not_found', 'Not Found'],
});
