import type { FromSchema } from 'json-schema-to-ts';
import { defineSource } from '../define-source';
import type { SourceConfigSchema } from '../field-schema';
import { eventFields } from '../shared/event-fields';
import { atMostOneOf } from '../shared/one-of-fields';
import { scheduleOf } from '../shared/schedule-of';
import { compileTick } from './read-tick';

const configSchema = {
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

export type ScheduledConfig = FromSchema<typeof configSchema, { keepDefaultedPropertiesOptional: true }>;

/** A tick on a schedule (docs/reference/config-document.md, Sources). */
export const scheduled = defineSource<ScheduledConfig>()({
  type: 'scheduled',
  title: 'Schedule',
  description: 'A tick on a schedule.',
  push: false,
  direction: 'inbound',
  runtime: {
    by: 'poll',
    poll: ({ name, config }) => ({
      schedule: scheduleOf(config), changedOnly: false, read: compileTick(config, `${name}.tick`),
    }),
  },
  defaultEventType: 'tick',
  configSchema,
  limits: [{ id: 'resolution', text: 'Schedules have a resolution of one minute.' }],
  checks: [atMostOneOf('event_type', 'event_type_path')],
  examples: [
    {
      title: 'Every working day at nine',
      config: { schedule: '0 9 * * MON-FRI', timezone: 'Europe/Berlin', payload: { report: 'daily' } },
    },
  ],
});
