import { defineRoute } from '../../../http/route';
import { connectorParams, idText, nullableText } from '../shared';

const verbs = ['added', 'modified', 'removed'] as const;
const parts = ['entity', 'event_flow', 'source', 'conflicts', 'pipelines', 'ingress_profile'] as const;
const changeTypes = [...parts.flatMap((part) => verbs.map((verb) => `${part}_${verb}`)), 'settings_modified'];
/** What a publish of the draft would do beyond the config itself. */
const resolvedTypes = [
  'property_group_added', 'property_added', 'custom_object_added', 'pipeline_added', 'portal_not_checked',
  'plugin_version_changed', 'plugin_capabilities_changed', 'plugin_unresolvable',
];

const changesOf = (types: readonly string[]) => ({
  type: 'array',
  items: {
    type: 'object',
    required: ['type', 'detail', 'entity', 'event_flow', 'source'],
    additionalProperties: false,
    properties: {
      type: { type: 'string', enum: types }, detail: { type: 'string' },
      entity: nullableText, event_flow: nullableText, source: nullableText,
    },
  },
} as const);

export const previewPublish = defineRoute({
  name: 'preview_publish', method: 'get', path: '/api/connectors/:connector_id/preview', tag: 'Draft and publish', auth: 'config',
  summary: 'What a publish of the draft would change', params: connectorParams,
  description: '`changes` compares the draft with the active version. `resolved_changes` is what a publish would do beside that, '
    + 'also with `force` on an identical draft: what it would create on the portal, and what its '
    + 'plugins would run. It does not count in `has_changes`.',
  answers: {
    200: {
      description: 'The changes.',
      schema: {
        type: 'object',
        required: ['has_changes', 'changes', 'resolved_changes'],
        additionalProperties: false,
        properties: {
          has_changes: { type: 'boolean' }, changes: changesOf(changeTypes), resolved_changes: changesOf(resolvedTypes),
        },
      },
    },
  },
  errors: ['connector_not_found', 'config_too_complex'],
});

const versionNumber = { type: 'integer', minimum: 1, maximum: 2_147_483_647 } as const;

export const diffVersions = defineRoute({
  name: 'diff_versions',
  method: 'get',
  path: '/api/connectors/:connector_id/versions/:from/diff/:to',
  tag: 'Draft and publish',
  auth: 'config',
  summary: 'What changed from one version to another',
  params: {
    type: 'object', required: ['connector_id', 'from', 'to'],
    properties: { connector_id: idText, from: versionNumber, to: versionNumber },
  },
  answers: {
    200: {
      description: '`changes` as a preview names them; `patch` is a JSON Patch (RFC 6902) that makes `from` into `to`.',
      schema: {
        type: 'object',
        required: ['from', 'to', 'changes', 'patch'],
        additionalProperties: false,
        properties: {
          from: { type: 'integer' }, to: { type: 'integer' }, changes: changesOf(changeTypes),
          patch: {
            type: 'array',
            items: {
              type: 'object',
              required: ['op', 'path'],
              additionalProperties: false,
              properties: { op: { type: 'string', enum: ['add', 'remove', 'replace'] }, path: { type: 'string' }, value: {} },
            },
          },
        },
      },
    },
  },
  errors: ['connector_not_found', 'Not Found', 'config_too_complex'],
});

const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
const listOf = (required: string[], properties: object) =>
  ({ type: 'array', items: { type: 'object', required, properties } }) as const;

export const reviewPublish = defineRoute({
  name: 'review_publish',
  method: 'get',
  path: '/api/connectors/:connector_id/publish-review',
  tag: 'Draft and publish',
  auth: 'config',
  summary: 'What a publish of the draft would create on the portal, and where it would send credentials',
  description: 'Where the organization wants it confirmed, a publish that creates something takes `review: {draft_version}`. '
    + 'Without a portal nothing is created. `errors` says why something cannot be told or created. `credential_hosts` are the pairs '
    + 'of credential and host that the active version does not have: they want a confirmation too.',
  params: connectorParams,
  answers: {
    200: {
      description: 'What would be created.',
      schema: {
        type: 'object',
        required: [
          'draft_version', 'requires_confirmation', 'property_groups', 'properties', 'custom_objects', 'pipelines', 'errors',
          'credential_hosts',
        ],
        additionalProperties: false,
        properties: {
          draft_version: { type: 'integer' },
          requires_confirmation: { type: 'boolean' },
          property_groups: listOf(['object_type', 'name', 'label'], texts('object_type', 'name', 'label')),
          properties: listOf(['entity', 'object_type', 'name', 'type', 'field_type', 'group', 'options'], {
            ...texts('entity', 'object_type', 'name', 'type', 'field_type', 'group'),
            options: listOf(['value'], texts('value', 'label')),
          }),
          custom_objects: listOf(['entity', 'object_type'], texts('entity', 'object_type')),
          pipelines: listOf(['object_type', 'label', 'stages'], {
            ...texts('object_type', 'label'),
            stages: listOf(['label'], { ...texts('label'), probability: { type: 'number' }, closed: { type: 'boolean' } }),
          }),
          credential_hosts: listOf(['credential_name', 'host', 'source'], texts('credential_name', 'host', 'source')),
          errors: listOf(['entity', 'object_type', 'property', 'message'], {
            ...texts('entity', 'object_type', 'message'), property: nullableText,
          }),
        },
      },
    },
  },
  errors: ['connector_not_found', 'crm_portal_not_bound', 'config_too_complex'],
});
