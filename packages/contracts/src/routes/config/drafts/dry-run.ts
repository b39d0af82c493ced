import { configDocumentBytes } from '../../../config/config-document';
import { defineRoute } from '../../../http/route';
import { draftPartParams } from './draft-parts';
import { freeObject, nullableText } from '../shared';

const stepSchema = {
  type: 'object',
  required: ['id', 'action', 'status', 'output', 'request', 'reason', 'error'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    action: { type: 'string' },
    status: { type: 'string', enum: ['ok', 'skipped', 'failed', 'not_verifiable', 'not_executed'] },
    output: { type: ['object', 'null'], additionalProperties: true },
    request: { type: ['object', 'null'], additionalProperties: true, description: 'What would be sent; null where nothing is.' },
    further_requests: { type: 'array', items: freeObject, description: 'What else the step would send.' },
    reason: { ...nullableText, description: 'Why it was skipped, or cannot be verified.' },
    error: {
      type: ['object', 'null'], required: ['code', 'message'],
      properties: { code: { type: 'string' }, message: { type: 'string' } },
    },
    not_executed: { type: 'boolean', description: 'The step was not run: what it would do cannot be told.' },
    not_executed_reason: { type: 'string' },
    stubbed_external_response: {
      type: 'boolean', description: 'The answer is `dry_run_response` of the destination, or an empty 200.',
    },
    simulated_identity: { type: 'boolean', description: 'The external id is invented.' },
    simulated_identity_note: { type: 'string' },
    simulated_existing_record: { type: 'boolean', description: 'The record is taken to exist.' },
  },
} as const;

export const dryRunFlow = defineRoute({
  name: 'dry_run_flow',
  method: 'post',
  path: '/api/connectors/:connector_id/draft/flows/:name/dry-run',
  tag: 'Draft and publish',
  auth: 'config',
  audit: null,
  summary: 'Run a flow of the draft over an event, with nothing sent to the CRM or to a destination',
  params: draftPartParams,
  bodyLimit: configDocumentBytes,
  body: {
    type: 'object',
    required: ['event_type', 'payload'],
    additionalProperties: false,
    properties: {
      event_type: { type: 'string', minLength: 1, maxLength: 256 },
      payload: { description: 'Body of the event.' },
      external_id: { type: 'string', minLength: 1, maxLength: 512, description: 'Record id of an `entities` entry.' },
      timestamp: { type: 'string', format: 'date-time' },
    },
  } as const,
  answers: {
    200: {
      description: 'What each step would do.',
      schema: {
        type: 'object',
        required: ['flow', 'matched', 'steps', 'outcome', 'reason'],
        additionalProperties: false,
        properties: {
          flow: { type: 'string' },
          matched: {
            type: 'boolean', description: 'Whether an event of this type runs this flow. The steps are run in any case.',
          },
          steps: { type: 'array', items: stepSchema },
          outcome: {
            type: 'string',
            enum: ['completed', 'skipped', 'failed', 'parked', 'partial_success', 'quarantined'],
            description: 'Outcome of the record, were every call answered as assumed.',
          },
          reason: nullableText,
        },
      } as const,
    },
  },
  errors: ['connector_not_found', 'Not Found', 'payload_too_large', 'config_too_complex'],
  examples: [{ title: 'A customer', body: { event_type: 'customer_synced', payload: { email: 'ada@example.com' } } }],
});
