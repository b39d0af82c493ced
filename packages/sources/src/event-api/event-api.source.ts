import { defineSource } from '../define-source';
import type { SourceConfigSchema } from '../field-schema';
import { eventFields } from '../shared/event-fields';
import { atMostOneOf } from '../shared/one-of-fields';

const configSchema: SourceConfigSchema = { type: 'object', additionalProperties: false, properties: eventFields };

/** Events sent to POST /api/v1/events (docs/reference/events.md). */
export const eventApi = defineSource<object>()({
  type: 'event_api',
  title: 'Event API',
  description: 'Events sent to POST /api/v1/events. Needs no declaration; every request names its own event types and ids.',
  push: true,
  direction: 'inbound',
  runtime: { by: 'requests' },
  defaultEventType: null,
  configSchema,
  limits: [{ id: 'entities_per_request', text: 'At most 200 entities per request.' }],
  checks: [atMostOneOf('event_type', 'event_type_path')],
  examples: [{ title: 'The event API, declared', config: {} }],
});
