import { defineRoute } from '../../http/route';

const nullableText = { type: ['string', 'null'] } as const;

/** One property. `expected` is what the flow projects, `actual` what the CRM holds. */
const property = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'expected', 'actual', 'match'],
  properties: {
    name: { type: 'string' },
    expected: { type: ['string', 'number', 'boolean', 'null'] },
    actual: nullableText,
    match: { type: 'boolean', description: 'As the CRM stores values: numbers by value, dates by day, check boxes as a set.' },
  },
} as const;

const record = {
  type: 'object',
  additionalProperties: false,
  required: ['entity_name', 'external_id', 'crm_id', 'status', 'properties', 'reason'],
  properties: {
    entity_name: nullableText,
    external_id: nullableText,
    crm_id: nullableText,
    status: { type: 'string', enum: ['match', 'mismatch', 'missing', 'not_verifiable'] },
    properties: { type: 'array', items: property },
    reason: { ...nullableText, description: 'With `not_verifiable`: why.' },
  },
} as const;

export const verifyEvent = defineRoute({
  name: 'verify_event',
  method: 'get',
  path: '/api/v1/events/:event_id/verify',
  tag: 'Events',
  auth: 'connector_key',
  summary: 'Compare what an event should have written with the present values in the CRM',
  description: [
    'Reads the CRM again and compares each record, property by property, with what the flow of the published version projects.',
    'Nothing is written, and nothing but the CRM is asked: what other steps found or were answered is taken from the run.',
    'Records of the event that are not done yet are left out. The CRM may hold something newer: then it is a mismatch too.',
    'Each record counts as a status read; the time in which flows run again has a budget of its own. An ingest-api that was not given `SLUICE_ENCRYPTION_KEYS` cannot read the CRM: 503.',
  ].join(' '),
  params: { type: 'object', required: ['event_id'], properties: { event_id: { type: 'string' } } },
  answers: {
    200: {
      description: 'The records of the event that are done.',
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['event_id', 'entities'],
        properties: { event_id: { type: 'string' }, entities: { type: 'array', items: record } },
      },
    },
  },
  errors: [
    'Missing x-api-key header', 'Invalid or revoked API key', 'Rate limit exceeded for org', 'Not Found', 'service_unavailable',
  ],
});
