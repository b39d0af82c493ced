import type { FromSchema } from 'json-schema-to-ts';
import { defineSource } from '../define-source';
import type { SourceConfigSchema } from '../field-schema';
import { eventFields } from '../shared/event-fields';
import { atMostOneOf } from '../shared/one-of-fields';

const objectType = { type: 'string', minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9_-]+$' } as const;
const properties = { type: 'array', maxItems: 500, items: { type: 'string', minLength: 1, maxLength: 128 } } as const;

const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    triggers: {
      type: 'array',
      maxItems: 200,
      description: 'Which changes become events. Absent: all that a flow takes.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['object_type'],
        properties: {
          object_type: { ...objectType, description: 'For example contacts, or p<portal id>_<name>.' },
          actions: {
            type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', enum: ['create', 'update', 'delete'] },
            description: 'Absent: all three.',
          },
          properties: { ...properties, description: 'An update counts when one of them changed. Absent: any.' },
        },
      },
    },
    enrich_properties: {
      type: 'object', maxProperties: 200, additionalProperties: properties,
      description: 'Object type to the properties that are read along with each change.',
    },
    ...eventFields,
  },
} as const satisfies SourceConfigSchema;

export type CrmConfig = FromSchema<typeof configSchema, { keepDefaultedPropertiesOptional: true }>;

/** The change journal of the CRM (docs/reference/config-document.md, Sources). */
export const crm = defineSource<CrmConfig>()({
  type: 'crm',
  title: 'CRM changes',
  description: 'The change journal of the CRM. Event types are <objectTypeId>.<create, update or delete>.',
  push: false,
  direction: 'outbound',
  runtime: { by: 'journal' },
  defaultEventType: null,
  configSchema,
  limits: [{ id: 'poll_interval', text: 'Read every 30 seconds.' }],
  checks: [atMostOneOf('event_type', 'event_type_path')],
  examples: [
    {
      title: 'New and renamed contacts',
      config: {
        triggers: [{ object_type: 'contacts', actions: ['create', 'update'], properties: ['firstname', 'lastname'] }],
        enrich_properties: { contacts: ['email', 'firstname', 'lastname'] },
      },
    },
  ],
});
