import { timestampSchema, uuidSchema } from '../../common-schemas';
import { eventBounds } from '../../events/event-bounds';
import { defineRoute } from '../../http/route';

/** Text that ends up in columns and message keys: no NUL, no half of a surrogate pair. */
const plainText = { pattern: '^[^\\u0000\\uD800-\\uDFFF]*$' } as const;

/** Most entities of one request (docs/reference/events.md). */
export const maxEntities = 200;

const entityItem = {
  type: 'object',
  additionalProperties: false,
  required: ['type', 'externalObjectId', 'properties'],
  properties: {
    type: { type: 'string', minLength: 1, maxLength: 128, ...plainText, description: 'Delivered as event type `<type>_synced`.' },
    externalObjectId: {
      type: 'string',
      minLength: 1,
      maxLength: eventBounds.externalId,
      ...plainText,
      description: "The record's id in the sending system: `$.external_id`.",
    },
    properties: { type: 'object', additionalProperties: true, description: 'Addressed `$.payload.*`.' },
  },
} as const;

/** Body of an event. Exactly one of `data` and `entities`; null stands for absent where it is allowed. */
const eventBody = {
  type: 'object',
  additionalProperties: false,
  required: ['event'],
  properties: {
    event: { type: 'string', minLength: 1, maxLength: eventBounds.eventType, ...plainText,
      description: 'Event type that flows match.' },
    data: {
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'Business payload, addressed `$.payload.*`. Required unless `entities` is given.',
    },
    timestamp: {
      type: ['string', 'null'],
      maxLength: 64,
      description: 'Business time, ISO 8601; without a zone it is UTC. Default: the time of acceptance.',
    },
    storeId: {
      type: ['string', 'null'],
      maxLength: 128,
      ...plainText,
      description: "Store; or header `x-store-id`; default is the connector's default store.",
    },
    recordKey: {
      type: ['string', 'null'],
      maxLength: eventBounds.recordKey,
      ...plainText,
      description: 'Ordering key of the record; read with `data` only.',
    },
    entities: {
      type: ['array', 'null'],
      minItems: 1,
      maxItems: maxEntities,
      items: entityItem,
      description: 'Records of one request, at most 200. Not together with `data`.',
    },
  },
} as const;

const eventIdText = { type: 'string', maxLength: 64, description: 'Opaque id of the event, `evt_...`.' } as const;
const hintText = {
  type: ['string', 'null'],
  description: 'A probable mistake of the sender, for example that no flow is subscribed.',
} as const;

const eventBudget = [
  'Requests are counted per organization and second as the plan says (429 `Rate limit exceeded for org`). Beside them stands a budget for work, which normal senders never notice:',
  'refused requests (400, 413, 415, 422, 423, 429) and the size of bodies count against 200 units a second, 1,000 at once, of a key,',
  'and twice that of an organization and of a network. A key or an organization over it, and one that took part in it where many',
  'share a network, gets 429 for every request until units come back.',
  'A refused request costs one unit at least; a body one unit per 200 kB, per 5,000 values and per 500 different names of fields. A body has at most 1,000,000 values, 20,000 different names and 200 levels (422),',
  'and unpacks to at most 100 times what was sent once it is over 1 MiB (413). It arrives within 60 seconds (408).',
].join(' ');

export const acceptEvent = defineRoute({
  name: 'accept_event',
  method: 'post',
  path: '/api/v1/events',
  tag: 'Events',
  auth: 'connector_key',
  summary: 'Send an event',
  description: eventBudget,
  headers: {
    type: 'object',
    properties: {
      'Idempotency-Key': {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        description: 'The same key within 24 h is the same event: same `event_id`, processed once.',
      },
      'x-store-id': { type: 'string', maxLength: 128, description: 'Store, unless the body names one.' },
    },
  },
  bodyLimit: 10 * 1024 * 1024,
  body: eventBody,
  answers: {
    202: {
      description: 'Accepted: replicated and queued, not yet processed.',
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['event_id', 'status', 'entities_count', 'hint'],
        properties: {
          event_id: eventIdText,
          status: { type: 'string', const: 'processing' },
          entities_count: { type: 'integer', minimum: 1 },
          hint: hintText,
        },
      },
    },
  },
  errors: [
    'Missing x-api-key header',
    'Invalid or revoked API key',
    'payload_too_large',
    'Malformed JSON',
    'Connector is paused, ingestion is blocked',
    'org_suspended',
    'org_closing',
    'Rate limit exceeded for org',
    'quota_exceeded',
    'event_ingestion_outcome_unknown',
    'event_ingestion_unavailable',
    'attachment_store_unavailable',
  ],
  examples: [
    {
      title: 'A business event',
      body: {
        event: 'order.created',
        data: { id: 'A-1001', email: 'ana@example.com', total: 59.9 },
        timestamp: '2026-01-05T10:00:00Z',
        recordKey: 'A-1001',
      },
    },
    {
      title: 'Records',
      body: { event: 'sync', entities: [{ type: 'contact', externalObjectId: 'c-1', properties: { email: 'ana@example.com' } }] },
    },
    { title: 'Accepted', status: 202, answer: { event_id: 'evt_AZs0', status: 'processing', entities_count: 1, hint: null } },
  ],
});

/** Event states (docs/reference/events.md, Status of an event). */
const eventStatuses = [
  'processing',
  'pending',
  'completed',
  'skipped',
  'partial_failure',
  'failed',
  'drained',
  'delayed',
] as const;
export type EventStatus = (typeof eventStatuses)[number];

const nullableText = { type: ['string', 'null'] } as const;

/** One record of a status answer, with the reason that its row gives. */
const entityRow = {
  type: 'object',
  additionalProperties: false,
  required: [
    'entity_name',
    'external_id',
    'action',
    'status',
    'crm_id',
    'error',
    'replayable',
    'sync_event_id',
    'reason',
    'error_kind',
    'error_code',
    'flow_name',
    'step_id',
    'attempts',
    'config_version',
  ],
  properties: {
    entity_name: nullableText,
    external_id: nullableText,
    action: nullableText,
    status: { type: 'string' },
    crm_id: nullableText,
    error: nullableText,
    replayable: { type: 'boolean' },
    sync_event_id: uuidSchema,
    reason: {
      ...nullableText,
      description: 'Why a record was skipped, for example flow_disabled, no_flow_matched, superseded, or what a skip step says.',
    },
    error_kind: { type: ['string', 'null'], enum: ['transient', 'permanent', 'fatal', null] },
    error_code: nullableText,
    flow_name: nullableText,
    step_id: nullableText,
    attempts: { type: 'integer', minimum: 0 },
    config_version: { type: ['integer', 'null'], description: 'The published version that ran; null: nothing was published.' },
  },
} as const;

export const getEventStatus = defineRoute({
  name: 'get_event_status', method: 'get', path: '/api/v1/events/:event_id/status', tag: 'Events', auth: 'connector_key',
  summary: 'Read the status of an event',
  description: 'An organization reads up to 300 statuses a second on average, 1,500 at once; over that 429. Reading a status once a second is often enough.',
  params: { type: 'object', required: ['event_id'], properties: { event_id: { type: 'string' } } },
  answers: {
    200: {
      description: 'The event and its records that are done. `entities_total` is null while it is not known.',
      schema: {
        type: 'object', additionalProperties: false,
        required: ['event_id', 'status', 'entities_total', 'entities_done', 'entities', 'hint'],
        properties: {
          event_id: eventIdText,
          status: { type: 'string', enum: eventStatuses },
          entities_total: { type: ['integer', 'null'], minimum: 0 },
          entities_done: { type: 'integer', minimum: 0 },
          entities: { type: 'array', items: entityRow },
          held: {
            type: 'object', additionalProperties: false, required: ['reason', 'until', 'error', 'error_code'],
            description: [
              'With `pending`: why it waits, and until when, null when it waits for a change of state; `error` and `error_code` of',
              'its last attempt, null when there was none.',
            ].join(' '),
            properties: {
              reason: { type: 'string' }, until: { ...timestampSchema, type: ['string', 'null'] },
              error: { type: ['string', 'null'] }, error_code: { type: ['string', 'null'] },
            },
          },
          hint: hintText,
        },
      },
    },
  },
  errors: ['Missing x-api-key header', 'Invalid or revoked API key', 'Rate limit exceeded for org', 'Not Found'],
});
