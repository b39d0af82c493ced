import { defineSource } from '../define-source';
import { atMostOneOf } from '../shared/one-of-fields';
import { scheduleOf } from '../shared/schedule-of';
import { compileTick } from './read-tick';
import { scheduledSchema, type ScheduledConfig } from './scheduled-config';

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
  configSchema: scheduledSchema,
  limits: [{ id: 'resolution', text: 'Schedules have a resolution of one minute.' }],
  checks: [atMostOneOf('event_type', 'event_type_path')],
  examples: [
    {
      title: 'Every working day at nine',
      config: { schedule: '0 9 * * MON-FRI', timezone: 'Europe/Berlin', payload: { report: 'daily' } },
    },
  ],
});
