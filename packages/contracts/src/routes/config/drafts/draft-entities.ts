import { configDocumentBytes } from '../../../config/config-document';
import { defineRoute } from '../../../http/route';
import { draftAnswer, draftErrors, draftPartParams, expectedVersion } from './draft-parts';
import { bodyLimits } from '../shared';

export const putDraftEntity = defineRoute({
  name: 'put_draft_entity',
  method: 'put',
  path: '/api/connectors/:connector_id/draft/entities/:name',
  tag: 'Draft and publish',
  auth: 'config',
  audit: { action: 'draft.put_entity', target: 'connector', param: 'connector_id' },
  summary: 'Put an entity into the draft, in place of the one of this name; `expected_version` may stand beside it',
  description: '`name` may be left out; another one than that of the path is refused. What is wrong elsewhere in the draft '
    + 'because of the change has a `loc` that starts with `path`, `name`.',
  params: draftPartParams,
  bodyLimit: configDocumentBytes,
  body: { type: 'object', additionalProperties: true, properties: { expected_version: expectedVersion } } as const,
  answers: draftAnswer,
  errors: [...draftErrors, 'draft_version_conflict'],
  examples: [
    {
      title: 'Customers become contacts',
      body: {
        schemas: {
          crm: {
            object_type: 'contacts', identity: { property: 'email' },
            field_mappings: [{ source: '$.payload.email', target: 'email' }],
          },
        },
      },
    },
  ],
});

export const deleteDraftEntity = defineRoute({
  name: 'delete_draft_entity',
  method: 'delete',
  path: '/api/connectors/:connector_id/draft/entities/:name',
  tag: 'Draft and publish',
  auth: 'config',
  audit: { action: 'draft.delete_entity', target: 'connector', param: 'connector_id' },
  summary: 'Remove an entity from the draft',
  params: draftPartParams,
  answers: draftAnswer,
  errors: [...draftErrors, 'Not Found'],
});

export const discardDraftEntity = defineRoute({
  name: 'discard_draft_entity',
  method: 'post',
  path: '/api/connectors/:connector_id/draft/entities/:name/discard',
  tag: 'Draft and publish',
  auth: 'config',
  audit: { action: 'draft.discard_entity', target: 'connector', param: 'connector_id' },
  summary: 'Put an entity back to how it is in the active version; one that is not there is removed',
  params: draftPartParams,
  bodyRequired: false,
  bodyLimit: bodyLimits.small,
  body: { type: 'object', additionalProperties: false, properties: { expected_version: expectedVersion } } as const,
  answers: draftAnswer,
  errors: [...draftErrors, 'draft_version_conflict', 'Not Found'],
});
