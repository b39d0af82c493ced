import { configDocumentBytes } from '../../../config/config-document';
import { defineRoute } from '../../../http/route';
import { draftAnswer, draftErrors, expectedVersion } from './draft-parts';
import { connectorParams, freeObject } from '../shared';

export const getDraft = defineRoute({
  name: 'get_draft', method: 'get', path: '/api/connectors/:connector_id/draft', tag: 'Draft and publish', auth: 'config',
  summary: 'Read the draft; the first read creates an empty one', params: connectorParams,
  answers: draftAnswer, errors: ['connector_not_found', 'config_too_complex'],
});

export const replaceDraft = defineRoute({
  name: 'replace_draft', method: 'put', path: '/api/connectors/:connector_id/draft', tag: 'Draft and publish', auth: 'config',
  audit: { action: 'draft.replace', target: 'connector', param: 'connector_id' },
  summary: 'Replace the whole draft by a config document; `expected_version` may stand beside it', params: connectorParams,
  bodyLimit: configDocumentBytes,
  body: { ...freeObject, description: 'A config document. Its JSON Schema is `json_schema` of `GET /api/config-surface`.' },
  answers: draftAnswer, errors: [...draftErrors, 'draft_version_conflict'],
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
  body: { type: 'object', additionalProperties: false, properties: { expected_version: expectedVersion } } as const,
  answers: draftAnswer,
  errors: [...draftErrors, 'draft_version_conflict'],
});

export const patchDraftSettings = defineRoute({
  name: 'patch_draft_settings',
  method: 'patch',
  path: '/api/connectors/:connector_id/draft/settings',
  tag: 'Draft and publish',
  auth: 'config',
  audit: { action: 'draft.patch_settings', target: 'connector', param: 'connector_id' },
  summary: 'Merge a patch (RFC 7396) into `settings` of the draft; `expected_version` may stand beside it',
  params: connectorParams,
  bodyLimit: configDocumentBytes,
  body: { type: 'object', additionalProperties: true, properties: { expected_version: expectedVersion } } as const,
  answers: draftAnswer,
  errors: [...draftErrors, 'draft_version_conflict'],
  examples: [{ title: 'Set one and remove another', body: { note: 'x', old: null } }],
});
