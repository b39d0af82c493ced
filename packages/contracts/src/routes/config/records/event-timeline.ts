import { defineRoute } from '../../../http/route';
import { nullableText, timestamp } from '../shared';

const timelineEntry = {
  type: 'object', additionalProperties: false, required: ['at', 'kind', 'run', 'entity_index', 'detail'],
  properties: {
    at: timestamp,
    kind: { type: 'string', enum: ['accepted', 'step', 'ended', 'held'] },
    run: { ...nullableText, description: '`first`, or the id of a replay.' },
    entity_index: { type: ['integer', 'null'], minimum: 0 },
    detail: { type: 'object', additionalProperties: true },
  },
} as const;

export const eventTimeline = defineRoute({
  name: 'event_timeline',
  method: 'get',
  path: '/api/connectors/:connector_id/events/:event_id/timeline',
  tag: 'Monitoring',
  auth: 'config',
  summary: 'What happened to an event: accepted, each step of the attempt that ended it, outcomes, what it waits for',
  params: {
    type: 'object', required: ['connector_id', 'event_id'],
    properties: { connector_id: { type: 'string', maxLength: 64 }, event_id: { type: 'string', maxLength: 128 } },
  } as const,
  answers: {
    200: {
      description: 'The oldest first.',
      schema: {
        type: 'object', additionalProperties: false, required: ['event_id', 'items'],
        properties: { event_id: { type: 'string' }, items: { type: 'array', items: timelineEntry } },
      },
    },
  },
  errors: ['connector_not_found', 'Not Found'],
});
