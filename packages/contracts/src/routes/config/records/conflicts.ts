import { defineRoute } from '../../../http/route';
import { connectorParams, nullableText, nullableTimestamp, timestamp, uuid } from '../shared';

const text = { type: 'string', maxLength: 128 } as const;
const winner = { type: 'string', enum: ['source', 'target'] } as const;

const properties = {
  id: uuid,
  entity_name: { type: 'string' },
  external_id: nullableText,
  crm_id: { type: 'string' },
  property: { type: 'string' },
  source_value: {
    ...nullableText,
    description: 'The value of the event, its first 4,096 characters; null: it clears the property.',
  },
  target_value: { ...nullableText, description: 'The value in the CRM, its first 4,096 characters.' },
  target_modified_at: { ...nullableTimestamp, description: 'When the property was last edited outside of Sluice.' },
  target_modified_by: { ...nullableText, description: 'The editor: a person, else the app or the kind of source.' },
  winner: { ...winner, description: 'Whose value is kept.' },
  created_at: timestamp,
} as const;

const conflict = {
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties) as (keyof typeof properties)[],
  properties,
} as const;

export const listConflicts = defineRoute({
  name: 'list_conflicts',
  method: 'get',
  path: '/api/connectors/:connector_id/conflicts',
  tag: 'Monitoring',
  auth: 'config',
  summary: 'Properties that an event and an edit outside of Sluice both wanted to set, newest first',
  description: [
    'One call looks at 10,000 records at most: where few of them match, a page holds less than `limit`, also nothing, and',
    '`next_cursor` leads on.',
  ].join(' '),
  params: connectorParams,
  query: {
    type: 'object',
    additionalProperties: false,
    properties: {
      entity: text,
      external_id: { type: 'string', maxLength: 512 },
      property: text,
      winner,
      limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
      cursor: { type: 'string', maxLength: 256 },
    },
  } as const,
  answers: {
    200: {
      description: '`next_cursor` is null on the last page.',
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['items', 'next_cursor'],
        properties: { items: { type: 'array', items: conflict }, next_cursor: nullableText },
      },
    },
  },
  errors: ['connector_not_found'],
});

export const countConflicts = defineRoute({
  name: 'count_conflicts',
  method: 'get',
  path: '/api/connectors/:connector_id/conflicts/count',
  tag: 'Monitoring',
  auth: 'config',
  summary: 'How many conflicts are recorded, and whether the active version looks for them',
  params: connectorParams,
  answers: {
    200: {
      description: 'At most 100,000 are counted.',
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['count', 'policy_active', 'never_matched'],
        properties: {
          count: { type: 'integer', minimum: 0 },
          policy_active: {
            type: 'boolean',
            description: 'The active version has another strategy than `source_wins`, for all entities or for one.',
          },
          never_matched: { type: 'boolean', description: 'The policy is active, and no conflict is recorded.' },
        },
      },
    },
  },
  errors: ['connector_not_found'],
});
