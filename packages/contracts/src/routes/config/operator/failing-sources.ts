import { nullableTimestamp } from '../shared';

/** Sources that fail, in the overview for operators. */
export const failingSources = {
  type: 'array', description: 'Sources that are on and whose last error stands, those that were read last first, at most 50.',
  items: {
    type: 'object', required: ['organization_id', 'connector_id', 'name', 'type', 'last_error', 'last_poll_at'],
    properties: {
      organization_id: { type: 'string' }, connector_id: { type: 'string' }, name: { type: 'string' }, type: { type: 'string' },
      last_error: { type: 'string' }, last_poll_at: nullableTimestamp,
    },
  },
} as const;
