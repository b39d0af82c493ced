import { configDocumentBytes } from '../../../config/config-document';
import { defineRoute } from '../../../http/route';
import { draftAnswer, draftErrors, draftPartParams, expectedVersion } from './draft-parts';

export const putDraftFlow = defineRoute({
  name: 'put_draft_flow',
  method: 'put',
  path: '/api/connectors/:connector_id/draft/flows/:name',
  tag: 'Draft and publish',
  auth: 'config',
  audit: { action: 'draft.put_flow', target: 'connector', param: 'connector_id' },
  summary: 'Put a flow into the draft, in place of the one of this name; `expected_version` may stand beside it',
  description: '`name` may be left out; another one than that of the path is refused. What is wrong elsewhere in the draft '
    + 'because of the change has a `loc` that starts with `path`, `name`.',
  params: draftPartParams,
  bodyLimit: configDocumentBytes,
  body: { type: 'object', additionalProperties: true, properties: { expected_version: expectedVersion } } as const,
  answers: draftAnswer,
  errors: [...draftErrors, 'draft_version_conflict'],
  examples: [
    {
      title: 'A flow that skips',
      body: { source: 'event_api', event_type: 'order.test', steps: [{ id: 'end', action: 'skip', reason: 'a test order' }] },
    },
  ],
});

export const deleteDraftFlow = defineRoute({
  name: 'delete_draft_flow',
  method: 'delete',
  path: '/api/connectors/:connector_id/draft/flows/:name',
  tag: 'Draft and publish',
  auth: 'config',
  audit: { action: 'draft.delete_flow', target: 'connector', param: 'connector_id' },
  summary: 'Remove a flow from the draft',
  params: draftPartParams,
  answers: draftAnswer,
  errors: [...draftErrors, 'Not Found'],
});
