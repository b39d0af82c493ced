import { configDocumentBytes } from '../../config-document';
import { defineRoute } from '../../route';
import { connectorParams, findingSchema, freeObject, nullableText, pageOf, pageQuery, timestamp } from './shared';

const direction = { type: ['string', 'null'], enum: ['inbound', 'outbound', 'bidirectional', null] } as const;

const draftSchema = {
  type: 'object',
  required: [
    'config',
    'base_version',
    'draft_version',
    'updated_at',
    'updated_by',
    'has_changes',
    'direction',
    'flow_directions',
    'warnings',
  ],
  properties: {
    config: freeObject,
    base_version: { type: ['integer', 'null'] },
    draft_version: { type: 'integer' },
    updated_at: timestamp,
    updated_by: nullableText,
    has_changes: { type: 'boolean' },
    direction,
    flow_directions: { type: 'object', additionalProperties: direction },
    warnings: { type: 'array', items: findingSchema },
  },
} as const;

const draftAnswer = { 200: { description: 'The draft.', schema: draftSchema } } as const;
const draftErrors = [
  'connector_not_found',
  'payload_too_large',
  'config_too_complex',
  'secret_not_declarable',
  'private_target',
  'custom_objects_not_allowed',
  'custom_object_type_limit_reached',
] as const;

export const getDraft = defineRoute({
  name: 'get_draft', method: 'get', path: '/api/connectors/:connector_id/draft', tag: 'Draft and publish', auth: 'config',
  summary: 'Read the draft; the first read creates an empty one', params: connectorParams,
  answers: draftAnswer, errors: ['connector_not_found'],
});

export const replaceDraft = defineRoute({
  name: 'replace_draft', method: 'put', path: '/api/connectors/:connector_id/draft', tag: 'Draft and publish', auth: 'config',
  audit: { action: 'draft.replace', target: 'connector', param: 'connector_id' },
  summary: 'Replace the whole draft by a config document', params: connectorParams,
  bodyLimit: configDocumentBytes,
  body: { ...freeObject, description: 'A config document. Its JSON Schema is `json_schema` of `GET /api/config-surface`.' },
  answers: draftAnswer, errors: draftErrors,
  examples: [{ title: 'An empty config', body: { version: '3.0', entities: [], flows: [], sources: [] } }],
});

export const patchDraft = defineRoute({
  name: 'patch_draft', method: 'patch', path: '/api/connectors/:connector_id/draft', tag: 'Draft and publish', auth: 'config',
  audit: { action: 'draft.patch', target: 'connector', param: 'connector_id' },
  summary: 'Merge a patch (RFC 7396) into the draft; `expected_version` may stand beside it', params: connectorParams,
  bodyLimit: configDocumentBytes,
  body: { ...freeObject, description: 'A merge patch of the config document, and `expected_version`.' },
  answers: draftAnswer, errors: [...draftErrors, 'draft_version_conflict'],
  examples: [{ title: 'Change a setting', body: { settings: { note: 'x' }, expected_version: 3 } }],
});

export const resetDraft = defineRoute({
  name: 'reset_draft',
  method: 'post',
  path: '/api/connectors/:connector_id/draft/reset',
  tag: 'Draft and publish',
  auth: 'config',
  audit: { action: 'draft.reset', target: 'connector', param: 'connector_id' },
  summary: 'Replace the draft by the active version',
  params: connectorParams,
  bodyRequired: false,
  body: { type: 'object', additionalProperties: false, properties: {} } as const,
  answers: draftAnswer,
  errors: draftErrors,
});

const versionProperties = {
  version: { type: 'integer' },
  is_active: { type: 'boolean' },
  published_at: timestamp,
  published_by: nullableText,
  change_summary: nullableText,
} as const;
const versionFields = ['version', 'is_active', 'published_at', 'published_by', 'change_summary'] as const;

/** What provisioning did for one entity. */
const provisionedSchema = {
  type: 'object', required: ['entity', 'object_type', 'created', 'skipped_existing'],
  properties: {
    entity: { type: 'string' }, object_type: { type: 'string' },
    created: { type: 'array', items: { type: 'string' } }, skipped_existing: { type: 'array', items: { type: 'string' } },
  },
} as const;

export const publishDraft = defineRoute({
  name: 'publish_draft',
  method: 'post',
  path: '/api/connectors/:connector_id/publish',
  tag: 'Draft and publish',
  auth: 'config',
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
    'provisioning_failed',
    'publish_review_required',
    'crm_portal_not_bound',
    'config_too_complex',
    'secret_not_declarable',
    'private_target',
  ],
  examples: [{ title: 'With a summary', body: { change_summary: 'Orders become deals' } }],
});

const versionSchema = { type: 'object', required: versionFields, properties: versionProperties } as const;
const versionWithConfig = {
  type: 'object',
  required: [...versionFields, 'config'],
  properties: { ...versionProperties, config: freeObject },
} as const;

export const listVersions = defineRoute({
  name: 'list_versions', method: 'get', path: '/api/connectors/:connector_id/versions', tag: 'Draft and publish', auth: 'config',
  summary: 'List versions', params: connectorParams, query: pageQuery,
  answers: { 200: { description: 'Newest first, without config.', schema: pageOf(versionSchema) } },
  errors: ['connector_not_found'],
});

export const getActiveVersion = defineRoute({
  name: 'get_active_version',
  method: 'get',
  path: '/api/connectors/:connector_id/versions/active',
  tag: 'Draft and publish',
  auth: 'config',
  summary: 'Read the active version',
  params: connectorParams,
  answers: { 200: { description: 'With config. 404 before the first publish.', schema: versionWithConfig } },
  errors: ['connector_not_found', 'Not Found'],
});

const versionParams = {
  type: 'object', required: ['connector_id', 'version'],
  properties: { ...connectorParams.properties, version: { type: 'integer', minimum: 1, maximum: 2_147_483_647 } },
} as const;

export const getVersion = defineRoute({
  name: 'get_version',
  method: 'get',
  path: '/api/connectors/:connector_id/versions/:version',
  tag: 'Draft and publish',
  auth: 'config',
  summary: 'Read a version',
  params: versionParams,
  answers: { 200: { description: 'With config.', schema: versionWithConfig } },
  errors: ['connector_not_found', 'Not Found'],
});

export const restoreVersion = defineRoute({
  name: 'restore_version',
  method: 'post',
  path: '/api/connectors/:connector_id/versions/:version/restore',
  tag: 'Draft and publish',
  auth: 'config',
  audit: { action: 'draft.restore', target: 'connector', param: 'connector_id' },
  summary: 'Write an earlier version into the draft (not a publish)',
  params: versionParams,
  bodyRequired: false,
  body: { type: 'object', additionalProperties: false, properties: {} } as const,
  answers: draftAnswer,
  errors: [...draftErrors, 'Not Found'],
});
