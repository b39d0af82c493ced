import type { FromSchema } from 'json-schema-to-ts';
import type { SourceConfigSchema } from '../field-schema';
import { eventFields } from '../shared/event-fields';
import { requestFields } from '../shared/request-fields';

const parameter = { type: 'string', minLength: 1, maxLength: 128 } as const;
const path = { type: 'string', maxLength: 1000, 'x-holds': 'path' } as const;

const pagination = {
  type: 'object',
  additionalProperties: false,
  required: ['type'],
  properties: {
    type: {
      type: 'string', enum: ['link_header', 'next_url', 'cursor', 'page', 'offset'],
      description: 'Where the next page is: Link header, a URL or a cursor in the answer, or counted by page or offset.',
    },
    param: { ...parameter, description: 'Query parameter of the cursor, page or offset.' },
    path: { ...path, description: 'JSONPath of the next URL or cursor in the answer.' },
    start: { type: 'integer', minimum: 0, maximum: 1_000_000_000, description: 'First page (default 1) or offset (default 0).' },
    size_param: { ...parameter, description: 'Query parameter of the page size.' },
    size: { type: 'integer', minimum: 1, maximum: 100_000, description: 'Elements of a page.' },
    max_pages: { type: 'integer', minimum: 1, maximum: 10_000, default: 1_000, description: 'Pages of one poll.' },
  },
  description: 'How further pages are asked for. Absent: there is one.',
} as const;

const cursor = {
  type: 'object',
  additionalProperties: false,
  required: ['param', 'path'],
  properties: {
    param: { ...parameter, description: 'Query parameter that carries the saved value.' },
    path: { ...path, description: 'JSONPath of the value in a page; the last one of the last page is saved.' },
    initial: { type: 'string', maxLength: 1000, description: 'Value of the first poll. Absent: the parameter is left out.' },
  },
  description: 'Reads only what is new: the value is saved when every page of a poll is queued.',
} as const;

export const pollerSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: { type: 'string', minLength: 1, maxLength: 2048, 'x-holds': 'url', description: 'What is read with GET.' },
    schedule: {
      type: 'string', maxLength: 256, 'x-holds': 'cron', default: '', description: 'Cron. Empty: every tick of the worker.',
    },
    timezone: { type: 'string', maxLength: 64, 'x-holds': 'timezone', default: 'UTC', description: 'Time zone of the schedule.' },
    ...requestFields,
    ...eventFields,
    items_path: { ...path, description: 'JSONPath of the list of elements, or of each (`$.data[*]`). Default: the answer.' },
    pagination,
    cursor,
    emit: {
      type: 'string', enum: ['all', 'changed'], default: 'all',
      description: 'changed: only elements whose content differs from the last time, by external id.',
    },
  },
} as const satisfies SourceConfigSchema;

export type PollerConfig = FromSchema<typeof pollerSchema, { keepDefaultedPropertiesOptional: true }>;
