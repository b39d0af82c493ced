import { configDocumentBytes } from '../../../config/config-document';
import { defineRoute } from '../../../http/route';
import { sourceTypes } from '../../../config/source-type';
import { draftAnswer, draftErrors, draftPartParams, expectedVersion } from '../drafts/draft-parts';
import { bodyLimits, connectorParams, nullableText, nullableTimestamp, timestamp } from '../shared';

const type = { type: 'string', enum: [...sourceTypes] } as const;

/** A source as the list shows it: its definition's name and type, and its state. */
const sourceSchema = {
  type: 'object',
  required: [
    'name', 'type', 'enabled', 'direction', 'url', 'last_event_at', 'last_poll_at', 'last_error', 'cursor', 'in_draft',
    'in_active_version',
  ],
  properties: {
    name: { type: 'string' },
    type,
    enabled: { type: 'boolean' },
    direction: { type: 'string', enum: ['inbound', 'outbound'], description: 'Into the CRM or out of it.' },
    url: { ...nullableText, description: 'Where the calls of a webhook go.' },
    last_event_at: nullableTimestamp,
    last_poll_at: nullableTimestamp,
    last_error: nullableText,
    cursor: { description: 'How far it has been read; null: not at all.' },
    in_draft: { type: 'boolean' },
    in_active_version: { type: 'boolean' },
  },
} as const;

export const listSources = defineRoute({
  name: 'list_sources', method: 'get', path: '/api/connectors/:connector_id/sources', tag: 'Sources', auth: 'config',
  summary: 'List the sources of the draft and of the active version, with their states', params: connectorParams,
  answers: {
    200: {
      description: 'By name.',
      schema: { type: 'object', required: ['items'], properties: { items: { type: 'array', items: sourceSchema } } },
    },
  },
  errors: ['connector_not_found'],
});

export const createSource = defineRoute({
  name: 'create_source', method: 'post', path: '/api/connectors/:connector_id/sources', tag: 'Sources', auth: 'config',
  audit: { action: 'source.create', target: 'connector', param: 'connector_id' },
  summary: 'Write a new source into the draft; it comes to life with the next publish',
  params: connectorParams,
  // A definition with a secret is refused: see docs/reference/config-document.md, Sources.
  secretFields: ['config'],
  bodyLimit: configDocumentBytes,
  body: {
    type: 'object',
    required: ['name', 'type'],
    additionalProperties: true,
    description: 'A source as the config document has it, and `expected_version`.',
    properties: { name: { type: 'string' }, type, config: { type: 'object' }, expected_version: expectedVersion },
  } as const,
  answers: { 202: { ...draftAnswer[200], description: 'The draft with the source.' } },
  errors: [...draftErrors, 'draft_version_conflict', 'event_source_limit_reached', 'source_name_taken'],
  examples: [{ title: 'A webhook', body: { name: 'shop', type: 'webhook', config: { event_type_path: '$.topic' } } }],
});

export const updateSource = defineRoute({
  name: 'update_source', method: 'patch', path: '/api/connectors/:connector_id/sources/:name', tag: 'Sources', auth: 'config',
  audit: { action: 'source.update', target: 'connector', param: 'connector_id' },
  summary: 'Switch a source of the active version off or on again, at once',
  params: draftPartParams,
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object', required: ['enabled'], additionalProperties: false, properties: { enabled: { type: 'boolean' } },
  } as const,
  answers: { 200: { description: 'The source.', schema: sourceSchema } },
  errors: ['connector_not_found', 'Not Found'],
  examples: [{ title: 'Off', body: { enabled: false } }],
});

export const deleteSource = defineRoute({
  name: 'delete_source', method: 'delete', path: '/api/connectors/:connector_id/sources/:name', tag: 'Sources', auth: 'config',
  audit: { action: 'source.delete', target: 'connector', param: 'connector_id' },
  summary: 'Remove a source from the draft; the next publish ends it and frees its place in the plan',
  params: draftPartParams,
  query: {
    type: 'object', additionalProperties: false,
    properties: {
      confirm: {
        type: 'boolean', default: false,
        description: 'Needed while the organization has more sources than its plan allows: the place cannot be filled again.',
      },
    },
  } as const,
  answers: draftAnswer,
  errors: [...draftErrors, 'event_source_delete_confirmation_required', 'source_in_use', 'Not Found'],
});

export const rotateSourceSecret = defineRoute({
  name: 'rotate_source_secret',
  method: 'post',
  path: '/api/connectors/:connector_id/sources/:name/rotate-secret',
  tag: 'Sources',
  auth: 'config',
  audit: { action: 'source.rotate_secret', target: 'connector', param: 'connector_id' },
  summary: 'Give a webhook a new secret, at once: calls signed with the old one are refused',
  params: draftPartParams,
  bodyRequired: false,
  bodyLimit: bodyLimits.small,
  secretFields: ['secret'],
  body: {
    type: 'object',
    additionalProperties: false,
    properties: {
      secret: {
        type: 'string', minLength: 16, maxLength: 512,
        description: 'The secret that the sender made, for senders that do not take one. Absent: a new one is made.',
      },
    },
  } as const,
  answers: {
    200: {
      description: 'The secret, shown this once.',
      schema: {
        type: 'object', required: ['name', 'secret', 'url', 'rotated_at'],
        properties: {
          name: { type: 'string' }, secret: { type: 'string' }, rotated_at: timestamp,
          url: {
            ...nullableText, description: 'Where the calls go: that of a source without signatures changes with the secret.',
          },
        },
      },
    },
  },
  errors: ['connector_not_found', 'no_webhook_source', 'Not Found'],
});

export const pollSource = defineRoute({
  name: 'poll_source', method: 'post', path: '/api/connectors/:connector_id/sources/:name/poll', tag: 'Sources', auth: 'config',
  audit: { action: 'source.poll', target: 'connector', param: 'connector_id' },
  summary: 'Read a source of the active version now, whatever its schedule says',
  description: 'The wait after failures is left out, but for the one that its server asked for. While the connector is paused the '
    + 'reading waits.',
  params: draftPartParams,
  bodyRequired: false,
  bodyLimit: bodyLimits.small,
  body: { type: 'object', additionalProperties: false, properties: {} } as const,
  answers: {
    202: {
      description: 'It is read as soon as possible.',
      schema: {
        type: 'object', required: ['name', 'status'],
        properties: { name: { type: 'string' }, status: { type: 'string', enum: ['queued'] } },
      },
    },
  },
  errors: ['connector_not_found', 'source_not_read', 'source_disabled', 'Not Found'],
});

export const resumeSource = defineRoute({
  name: 'resume_source', method: 'post', path: '/api/connectors/:connector_id/sources/:name/resume', tag: 'Sources',
  auth: 'config',
  audit: { action: 'source.resume', target: 'connector', param: 'connector_id' },
  summary: 'Confirm that a crm source has lost its place in the journal (`journal_offset_expired`)',
  description: 'Reading has gone on at the end of the journal meanwhile. What was missed is not made up.',
  params: draftPartParams,
  bodyRequired: false,
  bodyLimit: bodyLimits.small,
  body: { type: 'object', additionalProperties: false, properties: {} } as const,
  answers: {
    202: {
      description: 'Confirmed.',
      schema: {
        type: 'object', required: ['name', 'status'],
        properties: { name: { type: 'string' }, status: { type: 'string', enum: ['resumed'] } },
      },
    },
  },
  errors: ['connector_not_found', 'no_crm_source', 'Not Found'],
});

export const putDraftSource = defineRoute({
  name: 'put_draft_source',
  method: 'put',
  path: '/api/connectors/:connector_id/draft/sources/:name',
  tag: 'Draft and publish',
  auth: 'config',
  audit: { action: 'draft.put_source', target: 'connector', param: 'connector_id' },
  summary: 'Put a source into the draft, in place of the one of this name; `expected_version` may stand beside it',
  description: '`name` may be left out; another one than that of the path is refused.',
  params: draftPartParams,
  bodyLimit: configDocumentBytes,
  body: { type: 'object', additionalProperties: true, properties: { expected_version: expectedVersion } } as const,
  answers: draftAnswer,
  errors: [...draftErrors, 'draft_version_conflict'],
  examples: [{ title: 'A tick', body: { type: 'scheduled', config: { schedule: '0 9 * * *' } } }],
});

export const patchDraftSource = defineRoute({
  name: 'patch_draft_source',
  method: 'patch',
  path: '/api/connectors/:connector_id/draft/sources/:name',
  tag: 'Draft and publish',
  auth: 'config',
  audit: { action: 'draft.patch_source', target: 'connector', param: 'connector_id' },
  summary: 'Merge a patch (RFC 7396) into the config of a source of the draft',
  params: draftPartParams,
  bodyLimit: configDocumentBytes,
  body: {
    type: 'object', required: ['config'], additionalProperties: false,
    properties: { config: { type: 'object', additionalProperties: true }, expected_version: expectedVersion },
  } as const,
  answers: draftAnswer,
  errors: [...draftErrors, 'draft_version_conflict', 'Not Found'],
  examples: [{ title: 'Another schedule', body: { config: { schedule: '0 10 * * *', payload: null } } }],
});

export const deleteDraftSource = defineRoute({
  name: 'delete_draft_source',
  method: 'delete',
  path: '/api/connectors/:connector_id/draft/sources/:name',
  tag: 'Draft and publish',
  auth: 'config',
  audit: { action: 'draft.delete_source', target: 'connector', param: 'connector_id' },
  summary: 'Remove a source from the draft, unless a flow of the draft names it',
  params: draftPartParams,
  answers: draftAnswer,
  errors: [...draftErrors, 'source_in_use', 'Not Found'],
});
