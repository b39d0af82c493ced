import { defineRoute } from '../../../http/route';
import { organizationParams } from './organization-schema';
import { nullableText, timestamp } from '../shared';

const entry = {
  type: 'object',
  additionalProperties: false,
  required: ['at', 'actor', 'action', 'target', 'ip', 'request_id', 'outcome', 'reason'],
  properties: {
    at: timestamp,
    actor: {
      type: 'object',
      additionalProperties: false,
      required: ['type', 'id', 'label'],
      properties: {
        type: { type: 'string', enum: ['user', 'org_key', 'operator', 'system'] },
        id: nullableText,
        label: { ...nullableText, description: 'Email address of a user, label of a key.' },
      },
    },
    action: { type: 'string', description: 'For example `connector.publish`.' },
    target: {
      type: 'object',
      additionalProperties: false,
      required: ['type', 'id'],
      properties: { type: { type: 'string' }, id: nullableText },
    },
    ip: nullableText,
    request_id: nullableText,
    outcome: { type: 'string', enum: ['done', 'refused'] },
    reason: { ...nullableText, description: 'Error code of a refusal.' },
  },
} as const;

/** Changes, sign-ins and refused attempts at either. */
export const listAudit = defineRoute({
  name: 'list_audit',
  method: 'get',
  path: '/api/orgs/:organization_id/audit',
  tag: 'Organization',
  auth: 'owner',
  organization: 'active',
  summary: 'Who changed what: every change through this API and every sign-in, refused ones too',
  params: organizationParams,
  query: {
    type: 'object',
    additionalProperties: false,
    properties: {
      since: timestamp,
      until: timestamp,
      action: { type: 'string', maxLength: 64 },
      cursor: { type: 'string', maxLength: 64 },
      limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    },
  } as const,
  answers: {
    200: {
      description: 'Newest first. `next_cursor` is null on the last page.',
      schema: {
        type: 'object',
        required: ['items', 'next_cursor'],
        properties: { items: { type: 'array', items: entry }, next_cursor: nullableText },
      },
    },
  },
  errors: [],
  examples: [
    {
      title: 'A publish',
      answer: {
        items: [
          {
            at: '2026-01-05T10:00:00.000Z',
            actor: { type: 'org_key', id: '6a1c...', label: 'deploy' },
            action: 'connector.publish',
            target: { type: 'connector', id: '5f0c...' },
            ip: '192.0.2.1',
            request_id: '0b9e...',
            outcome: 'done',
            reason: null,
          },
        ],
        next_cursor: null,
      },
    },
  ],
});
