import { defineRoute } from '../../../http/route';
import { draftPartParams } from './draft-parts';

const text = { type: 'string' } as const;
const option = { type: 'object', required: ['value'], properties: { value: text, label: text } } as const;

export const suggestFieldMappings = defineRoute({
  name: 'suggest_field_mappings',
  method: 'get',
  path: '/api/connectors/:connector_id/draft/entities/:name/field-mapping-suggestions',
  tag: 'Draft and publish',
  auth: 'config',
  summary: 'Field mappings that an entity of the draft could have, each with a reason',
  description: 'They come from recent payloads of the events that the flows of the entity take, and from the properties of the '
    + 'portal. Without both, the usual mappings are suggested.',
  params: draftPartParams,
  answers: {
    200: {
      description: 'The surest first. `exists` is null where the properties of the portal are not known.',
      schema: {
        type: 'object',
        required: ['items', 'total', 'payloads_examined', 'portal'],
        additionalProperties: false,
        properties: {
          items: {
            type: 'array',
            items: {
              type: 'object',
              required: [
                'source', 'target', 'transform', 'crm_type', 'crm_field_type', 'crm_label', 'exists', 'confidence', 'reason',
                'seen_in',
              ],
              properties: {
                source: text, target: text, transform: { type: 'array' }, crm_type: text, crm_field_type: text, crm_label: text,
                crm_options: { type: 'array', items: option }, exists: { type: ['boolean', 'null'] },
                confidence: { type: 'string', enum: ['high', 'medium', 'low'] }, reason: text,
                seen_in: { type: 'integer', description: 'Payloads that have the field.' },
              },
            },
          },
          total: { type: 'integer' },
          payloads_examined: { type: 'integer' },
          portal: { type: 'string', enum: ['read', 'not_connected', 'not_answering'] },
        },
      },
    },
  },
  errors: ['connector_not_found', 'Not Found', 'config_too_complex'],
});
