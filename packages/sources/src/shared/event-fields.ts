import type { SourceFieldSchema } from '../field-schema';

/** Fields of every source that brings events: what names the event, its record, its lane and its time. */
export const eventFields = {
  event_type: {
    type: 'string', minLength: 1, maxLength: 256, pattern: '\\S',
    description: 'Event type of everything that comes from this source.',
  },
  event_type_path: {
    type: 'string', maxLength: 1000, 'x-holds': 'path', description: 'JSONPath of the event type in what is received.',
  },
  external_id_path: {
    type: 'string', maxLength: 1000, 'x-holds': 'path', description: 'JSONPath of the external id of the record.',
  },
  record_key_path: {
    type: 'string', maxLength: 1000, 'x-holds': 'path',
    description: 'JSONPath of the key that orders events of one record. Default: the external id.',
  },
  timestamp_path: {
    type: 'string', maxLength: 1000, 'x-holds': 'path', description: 'JSONPath of the time at which it happened. Default: now.',
  },
} as const satisfies Record<string, SourceFieldSchema>;
