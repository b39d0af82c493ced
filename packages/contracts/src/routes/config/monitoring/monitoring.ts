import { defineRoute } from '../../../http/route';
import { connectorParams, nullableText, nullableTimestamp, pageOf, timestamp, uuid } from '../shared';

const count = { type: 'integer', minimum: 0 } as const;
const range = { type: 'string', enum: ['24h', '7d', '30d'], default: '7d' } as const;
const granularity = { type: 'string', enum: ['daily', 'hourly'], default: 'daily' } as const;
const period = { ...timestamp, description: 'Start of the hour or UTC day.' } as const;
const nullableMs = { type: ['integer', 'null'], minimum: 0 } as const;
const latency = {
  type: 'object', additionalProperties: false, required: ['p50', 'p95', 'p99'],
  properties: { p50: nullableMs, p95: nullableMs, p99: nullableMs },
  description: 'From accept to end of completed records, in milliseconds, within the bounds of a class; null: there were none.',
} as const;
const sinceUntil = {
  type: 'object',
  additionalProperties: false,
  properties: {
    since: { ...timestamp, description: 'Default: 7 days ago.' }, until: { ...timestamp, description: 'Exclusive.' },
  },
} as const;

const errorRecord = {
  type: 'object', additionalProperties: false, required: ['sync_event_id', 'external_id', 'entity_name', 'created_at'],
  properties: { sync_event_id: uuid, external_id: nullableText, entity_name: nullableText, created_at: timestamp },
} as const;
const errorGroup = {
  type: 'object', additionalProperties: false, required: ['error', 'count', 'records', 'first_seen', 'last_seen'],
  properties: {
    error: { type: 'string' }, count: { type: 'integer', minimum: 1 },
    records: { type: 'array', maxItems: 20, items: errorRecord, description: 'The newest, at most 20.' },
    first_seen: timestamp, last_seen: timestamp,
  },
} as const;

export const summarizeErrors = defineRoute({
  name: 'summarize_errors',
  method: 'get',
  path: '/api/connectors/:connector_id/errors/summary',
  tag: 'Monitoring',
  auth: 'config',
  summary: 'Records that failed, were parked, expired or ended in part, grouped by their error',
  description: [
    'Of the range the 2,000 most recent such records are read; `scan_capped` says that there are more. Records without an error',
    'message belong to no group. The group with the newest record comes first.',
  ].join(' '),
  params: connectorParams,
  query: sinceUntil,
  answers: {
    200: {
      description: 'The groups.',
      schema: {
        type: 'object', additionalProperties: false, required: ['groups', 'since', 'until', 'scanned', 'scan_capped'],
        properties: {
          groups: { type: 'array', items: errorGroup }, since: timestamp, until: timestamp,
          scanned: count, scan_capped: { type: 'boolean' },
        },
      },
    },
  },
  errors: ['connector_not_found'],
});

const syncJob = {
  type: 'object', additionalProperties: false,
  required: [
    'id', 'entity_name', 'status', 'trigger', 'started_at', 'completed_at', 'records_ok', 'records_failed', 'records_skipped',
    'error_message',
  ],
  properties: {
    id: uuid, entity_name: nullableText, status: { type: 'string', enum: ['pending', 'running', 'completed', 'failed'] },
    trigger: nullableText, started_at: nullableTimestamp, completed_at: nullableTimestamp,
    records_ok: count, records_failed: count, records_skipped: count, error_message: nullableText,
  },
} as const;

export const listSyncJobs = defineRoute({
  name: 'list_sync_jobs',
  method: 'get',
  path: '/api/connectors/:connector_id/sync-jobs',
  tag: 'Monitoring',
  auth: 'config',
  summary: 'Historical jobs: empty for connectors of today',
  description: 'Imports, replays and verifications have routes of their own and are not listed here.',
  params: connectorParams,
  query: {
    type: 'object',
    additionalProperties: false,
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      offset: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 0 },
    },
  } as const,
  answers: { 200: { description: 'The jobs.', schema: pageOf(syncJob) } },
  errors: ['connector_not_found'],
});

export const statsTimeline = defineRoute({
  name: 'stats_timeline',
  method: 'get',
  path: '/api/connectors/:connector_id/stats/timeline',
  tag: 'Monitoring',
  auth: 'config',
  summary: 'Records that ended, by hour or day',
  params: connectorParams,
  query: { type: 'object', additionalProperties: false, properties: { range, granularity } } as const,
  answers: {
    200: {
      description: 'Every hour or UTC day of the range, the oldest first. `records_failed` counts everything but completed and skipped.',
      schema: {
        type: 'object', additionalProperties: false, required: ['buckets', 'range', 'granularity'],
        properties: {
          buckets: {
            type: 'array',
            items: {
              type: 'object', additionalProperties: false,
              required: ['period', 'records_ok', 'records_failed', 'records_skipped', 'job_count'],
              properties: {
                period, records_ok: count, records_failed: count, records_skipped: count,
                job_count: { ...count, description: 'Historical jobs: 0 for connectors of today.' },
              },
            },
          },
          range, granularity,
        },
      },
    },
  },
  errors: ['connector_not_found'],
});

const metric = {
  type: 'string',
  enum: ['events_received', 'records_ok', 'records_failed', 'records_skipped', 'crm_calls', 'latency_p95'],
} as const;

export const statsTimeseries = defineRoute({
  name: 'stats_timeseries',
  method: 'get',
  path: '/api/connectors/:connector_id/stats/timeseries',
  tag: 'Monitoring',
  auth: 'config',
  summary: 'One metric, by hour or day',
  params: connectorParams,
  query: {
    type: 'object', additionalProperties: false, required: ['metric'], properties: { metric, range, granularity },
  } as const,
  answers: {
    200: {
      description: 'Every hour or UTC day of the range, the oldest first.',
      schema: {
        type: 'object', additionalProperties: false, required: ['metric', 'buckets', 'range', 'granularity'],
        properties: {
          metric, range, granularity,
          buckets: {
            type: 'array',
            items: {
              type: 'object', additionalProperties: false, required: ['period', 'value'],
              properties: {
                period, value: { type: ['number', 'null'], description: 'null: nothing was measured (`latency_p95`).' },
              },
            },
          },
        },
      },
    },
  },
  errors: ['connector_not_found'],
});

export const connectorStats = defineRoute({
  name: 'connector_stats',
  method: 'get',
  path: '/api/connectors/:connector_id/stats',
  tag: 'Monitoring',
  auth: 'config',
  summary: 'What a connector received, what became of it and what waits',
  description: [
    'Records are counted by the time of their end. Of the last three hours `since` and `until` count to the minute, before that to',
    'the hour.',
  ].join(' '),
  params: connectorParams,
  query: sinceUntil,
  answers: {
    200: {
      description: 'The counts.',
      schema: {
        type: 'object', additionalProperties: false,
        required: ['since', 'until', 'events_received', 'records', 'in_flight', 'held', 'latency_ms', 'crm_calls'],
        properties: {
          since: timestamp, until: timestamp,
          events_received: { ...count, description: 'Records of accepted events.' },
          records: { type: 'object', additionalProperties: count, description: 'By status.' },
          in_flight: { ...count, description: 'Accepted, neither ended nor held; now.' },
          held: { type: 'object', additionalProperties: count, description: 'By reason; now.' },
          latency_ms: latency,
          crm_calls: { ...count, description: 'Calls of the CRM that worked for the connector; one may work for several.' },
        },
      },
    },
  },
  errors: ['connector_not_found'],
});

export const inboundBacklog = defineRoute({
  name: 'inbound_backlog',
  method: 'get',
  path: '/api/connectors/:connector_id/inbound-backlog',
  tag: 'Monitoring',
  auth: 'config',
  summary: 'What waits to be processed, and whether it moves',
  description: [
    '`congested`: the oldest has waited for 5 minutes (`SLUICE_BACKLOG_CONGESTED`) and events still finish. `stalled`: the oldest has',
    'waited for 15 minutes (`SLUICE_BACKLOG_STALLED`) and none has finished in that time.',
  ].join(' '),
  params: connectorParams,
  answers: {
    200: {
      description: 'The backlog. At most 200,000 held records and 50,000 in the log are counted.',
      schema: {
        type: 'object', additionalProperties: false,
        required: [
          'connector_id', 'state', 'summary', 'pending_count', 'pending_by_status', 'oldest_pending_at',
          'oldest_pending_age_seconds',
          'finished_recently', 'throughput_window_seconds', 'generated_at',
        ],
        properties: {
          connector_id: uuid,
          state: { type: 'string', enum: ['empty', 'flowing', 'congested', 'stalled'] },
          summary: { type: 'string' },
          pending_count: count,
          pending_by_status: {
            type: 'object', additionalProperties: count,
            description: '`processing`: in the log; `pending`: held, for example for a retry or while the connector is paused.',
          },
          oldest_pending_at: nullableTimestamp,
          oldest_pending_age_seconds: { type: ['integer', 'null'], minimum: 0 },
          finished_recently: { ...count, description: 'Records that ended within the window.' },
          throughput_window_seconds: count,
          estimated_wait_seconds: { ...count, description: 'Only when congested.' },
          generated_at: timestamp,
        },
      },
    },
  },
  errors: ['connector_not_found'],
});

export const connectorSla = defineRoute({
  name: 'connector_sla',
  method: 'get',
  path: '/api/connectors/:connector_id/sla',
  tag: 'Monitoring',
  auth: 'config',
  summary: 'Availability and delivery of a connector, for plans with SLA reporting',
  params: connectorParams,
  query: { type: 'object', additionalProperties: false, properties: { range: { ...range, default: '30d' } } } as const,
  answers: {
    200: {
      description: 'The report.',
      schema: {
        type: 'object', additionalProperties: false,
        required: ['period', 'availability', 'accepted', 'delivered', 'delivered_within_target', 'target_seconds', 'latency_ms'],
        properties: {
          period: range,
          availability: {
            type: ['number', 'null'], minimum: 0, maximum: 1,
            description: 'Share of the requests to the event API that were not answered 502 or 503; null: there were none.',
          },
          accepted: { ...count, description: 'Records of accepted events.' },
          delivered: { ...count, description: 'Records that ended `completed` or `partial_success`.' },
          delivered_within_target: count,
          target_seconds: { type: 'number', minimum: 0 },
          latency_ms: latency,
        },
      },
    },
  },
  errors: ['connector_not_found', 'sla_monitoring_not_available'],
});
