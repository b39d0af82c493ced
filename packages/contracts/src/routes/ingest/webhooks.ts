import { uuidSchema } from '../../common-schemas';
import { defineRoute } from '../../http/route';

const params = {
  type: 'object',
  additionalProperties: false,
  required: ['connector_id', 'source_name'],
  properties: { connector_id: uuidSchema, source_name: { type: 'string', description: 'Name of a source of the type webhook.' } },
} as const;

const eventId = { type: 'string', maxLength: 64, description: 'Opaque id of the event, `evt_...`.' } as const;
const status = { type: 'string', const: 'processing' } as const;

const answers = {
  202: {
    description: 'Accepted: replicated and queued, not yet processed. `event_ids` where the source has a `split_path`.',
    schema: {
      oneOf: [
        { type: 'object', additionalProperties: false, required: ['event_id', 'status'], properties: {
          event_id: eventId, status,
        } },
        {
          type: 'object',
          additionalProperties: false,
          required: ['event_ids', 'status'],
          properties: { event_ids: { type: 'array', items: eventId }, status },
        },
      ],
    },
  },
} as const;

const shared = {
  method: 'post',
  tag: 'Webhooks',
  bodyLimit: 5 * 1024 * 1024,
  body: {
    type: ['object', 'array'], description: 'JSON, or a form (`application/x-www-form-urlencoded`).', additionalProperties: true,
  },
  answers,
  errors: [
    'Not Found', 'webhook_source_disabled', 'Empty body', 'Malformed JSON', 'Unsupported content type',
    'Unsupported content encoding',
    'payload_too_large', 'Request Timeout', 'org_suspended', 'org_closing', 'Rate limit exceeded for org', 'quota_exceeded',
    'event_ingestion_outcome_unknown', 'event_ingestion_unavailable', 'attachment_store_unavailable',
  ],
} as const;

export const receiveWebhook = defineRoute({
  ...shared,
  name: 'receive_webhook',
  path: '/api/webhooks/:connector_id/:source_name',
  auth: 'signature',
  summary: 'Deliver to a webhook source',
  description: [
    'The source says in which header and form the signature comes, where the type and the ids of the event are, and whether the body is a',
    'list of events. While the connector is paused calls are accepted and kept. The same dedupe value, or the same signed call, within 24',
    'hours is answered with the id of the first event and queued once.',
  ].join(' '),
  params,
  examples: [{ title: 'An order', body: { topic: 'order.created', id: 17 } }],
});

export const receiveUnsignedWebhook = defineRoute({
  ...shared,
  name: 'receive_unsigned_webhook',
  path: '/api/webhooks/:connector_id/:source_name/:url_token',
  auth: 'none',
  audit: null,
  summary: 'Deliver to a webhook source that checks no signatures',
  description: 'Whoever knows the URL may call. `rotate-secret` of the source gives it another one.',
  params: {
    ...params,
    required: [...params.required, 'url_token'],
    properties: { ...params.properties, url_token: { type: 'string', description: 'Random part of the URL.' } },
  } as const,
});
