import { defineRoute } from '../../../http/route';
import { syncEventParams, uuid } from '../shared';

export const replaySyncEvent = defineRoute({
  name: 'replay_sync_event',
  method: 'post',
  path: '/api/connectors/:connector_id/sync-events/:sync_event_id/replay',
  tag: 'Monitoring',
  auth: 'config',
  audit: { action: 'record.replay', target: 'sync_event', param: 'sync_event_id' },
  summary: 'Run a record again under the version that is active now',
  description: [
    'The id is that of the record\'s row. A replay is a run of its own and leaves a row of its own. It never overwrites',
    'what is newer: then it ends `skipped` with the reason `superseded`. With `force=true` it does, the identity guard does',
    'not stop it, and a quarantined record is replayed. `not_replayable` has the `status` that speaks against it:',
    '`processing` while a replay is under way, `completed` when a run of the record has arrived since; `reason` is',
    '`payload_expired` where the payload of the event is no longer kept.',
  ].join(' '),
  params: syncEventParams,
  query: {
    type: 'object',
    additionalProperties: false,
    properties: { force: { type: 'boolean', default: false } },
  } as const,
  answers: {
    202: {
      description: 'The replay is in the log.',
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['sync_event_id', 'event_id', 'status'],
        properties: { sync_event_id: uuid, event_id: { type: 'string' }, status: { const: 'processing' } },
      },
    },
  },
  errors: [
    'connector_not_found', 'Not Found', 'not_replayable', 'force_required', 'event_ingestion_outcome_unknown',
    'event_ingestion_unavailable',
  ],
});
