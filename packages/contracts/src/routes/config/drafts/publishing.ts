import { defineRoute } from '../../../http/route';
import { connectorParams, findingSchema, nullableText, provisionedSchema } from '../shared';
import { versionFields, versionProperties } from './version-parts';

export const publishDraft = defineRoute({
  name: 'publish_draft',
  method: 'post',
  path: '/api/connectors/:connector_id/publish',
  tag: 'Draft and publish',
  auth: 'config',
  needsVerified: true,
  audit: { action: 'connector.publish', target: 'connector', param: 'connector_id' },
  summary: 'Publish the draft as a new immutable version',
  params: connectorParams,
  bodyRequired: false,
  body: {
    type: 'object',
    additionalProperties: false,
    properties: {
      change_summary: { type: ['string', 'null'], maxLength: 1000 },
      force: { type: 'boolean', default: false },
      new_sources: { type: 'array', description: 'Deprecated and ignored: sources are part of the config.' },
      delete_sources: { type: 'array', description: 'Deprecated and ignored: sources are part of the config.' },
      review: {
        type: 'object',
        required: ['draft_version'],
        additionalProperties: false,
        properties: { draft_version: { type: 'integer' } },
      },
    },
  } as const,
  answers: {
    200: {
      description: 'The active version; `no_changes` when the draft equals it.',
      schema: {
        type: 'object',
        required: [...versionFields, 'no_changes', 'created_sources', 'provisioned', 'warnings'],
        properties: {
          ...versionProperties,
          no_changes: { type: 'boolean' },
          created_sources: {
            type: 'array',
            items: {
              type: 'object',
              required: ['name', 'type', 'url', 'secret'],
              properties: { name: { type: 'string' }, type: { type: 'string' }, url: nullableText, secret: nullableText },
            },
          },
          provisioned: { type: 'array', items: provisionedSchema },
          warnings: { type: 'array', items: findingSchema },
        },
      },
    },
  },
  errors: [
    'connector_not_found',
    'stale_base_version',
    'event_source_limit_reached',
    'flow_limit_reached',
    'step_limit_reached',
    'plugin_system_not_allowed',
    'provisioning_failed',
    'publish_review_required',
    'publish_review_outdated',
    'crm_portal_not_bound',
    'config_too_complex',
    'secret_not_declarable',
    'private_target',
  ],
  examples: [{ title: 'With a summary', body: { change_summary: 'Orders become deals' } }],
});
