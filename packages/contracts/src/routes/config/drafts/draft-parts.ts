import { findingSchema, freeObject, idText, nullableText, timestamp } from '../shared';

const direction = { type: ['string', 'null'], enum: ['inbound', 'outbound', 'bidirectional', null] } as const;

const draftSchema = {
  type: 'object',
  required: [
    'config',
    'base_version',
    'draft_version',
    'updated_at',
    'updated_by',
    'has_changes',
    'direction',
    'flow_directions',
    'warnings',
  ],
  properties: {
    config: freeObject,
    base_version: { type: ['integer', 'null'] },
    draft_version: { type: 'integer' },
    updated_at: timestamp,
    updated_by: nullableText,
    has_changes: { type: 'boolean' },
    direction,
    flow_directions: { type: 'object', additionalProperties: direction },
    warnings: { type: 'array', items: findingSchema },
  },
} as const;

/** A part of the draft, by its name. */
export const draftPartParams = {
  type: 'object', required: ['connector_id', 'name'],
  properties: { connector_id: idText, name: { type: 'string', minLength: 1, maxLength: 128 } },
} as const;

export const expectedVersion = {
  type: 'integer',
  description: 'The `draft_version` that the change was made for; another one is refused with 409.',
} as const;

/** Every draft route answers the draft as a read does. */
export const draftAnswer = { 200: { description: 'The draft.', schema: draftSchema } } as const;

/** What any write of the draft may be refused with. */
export const draftErrors = [
  'connector_not_found',
  'payload_too_large',
  'config_too_complex',
  'secret_not_declarable',
  'private_target',
  'custom_objects_not_allowed',
  'custom_object_type_limit_reached',
] as const;

