import { defineRoute } from '../../../http/route';
import { draftAnswer, draftErrors, expectedVersion } from './draft-parts';
import { connectorParams, freeObject, pageOf, pageQuery } from '../shared';
import { versionFields, versionProperties } from './version-parts';

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
  body: { type: 'object', additionalProperties: false, properties: { expected_version: expectedVersion } } as const,
  answers: draftAnswer,
  errors: [...draftErrors, 'draft_version_conflict', 'Not Found'],
});
