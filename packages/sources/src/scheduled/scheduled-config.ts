import type { FromSchema } from 'json-schema-to-ts';
import type { SourceConfigSchema } from '../field-schema';
import { eventFields } from '../shared/event-fields';

export const scheduledSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['schedule'],
  properties: {
    schedule: {
      type: 'string', minLength: 1, maxLength: 256, 'x-holds': 'cron', description: 'Cron: minute, hour, day, month, weekday.',
    },
    timezone: { type: 'string', maxLength: 64, 'x-holds': 'timezone', default: 'UTC', description: 'Time zone of the schedule.' },
    payload: { type: 'object', default: {}, description: 'Payload of every tick.' },
    ...eventFields,
  },
} as const satisfies SourceConfigSchema;

export type ScheduledConfig = FromSchema<typeof scheduledSchema, { keepDefaultedPropertiesOptional: true }>;
