import { defineRoute } from '../../../http/route';
import { timestamp } from '../shared';

export const dataPlaneHealth = defineRoute({
  name: 'data_plane_health',
  method: 'get',
  path: '/api/health/data-plane',
  tag: 'Monitoring',
  auth: 'none',
  summary: 'Whether events are accepted: to be asked after a 503 of the event plane',
  answers: {
    200: {
      description: 'Events are accepted when `ingestion` is `available`; attachments are payloads over 256 KiB.',
      schema: {
        type: 'object', additionalProperties: false, required: ['status', 'ingestion', 'attachments', 'checked_at'],
        properties: {
          status: { type: 'string', enum: ['ok', 'degraded', 'unavailable'] },
          ingestion: { type: 'string', enum: ['available', 'unavailable'] },
          attachments: { type: 'string', enum: ['available', 'unavailable'] },
          checked_at: timestamp,
        },
      },
    },
  },
  errors: [],
});
