import { knownSettings } from '../../../config/known-settings';
import { defineRoute } from '../../../http/route';
import {
  connectorMode, createdConnectorSchema, listedConnector, readConnectorSchema,
} from './connector-schema';
import {
  apiKeySchema, bodyLimits, connectorParams, createdApiKeySchema, deleted, idText, nameText, nullableText, pageOf,
  pageQuery,
} from '../shared';

export const createConnector = defineRoute({
  name: 'create_connector',
  method: 'post',
  path: '/api/connectors',
  tag: 'Connectors',
  auth: 'config',
  audit: { action: 'connector.create', target: 'connector' },
  summary: 'Create a connector',
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: {
      name: nameText,
      mode: { ...connectorMode, default: 'live' },
      credential_id: { ...nullableText, description: 'A CRM credential of the same organization.' },
      create_api_key: { type: 'boolean', default: false },
      api_key_label: nameText,
    },
  } as const,
  answers: {
    201: { description: 'The connector; `api_key` when one was asked for.', schema: createdConnectorSchema },
  },
  errors: [
    'invalid_credential', 'connector_limit_reached', 'api_key_limit_reached', 'plugin_system_not_allowed',
    'api_key_cannot_create_test_connector',
    'email_not_verified',
  ],
  examples: [{ title: 'With a key', body: { name: 'Shop', create_api_key: true, api_key_label: 'shop backend' } }],
});

export const listConnectors = defineRoute({
  name: 'list_connectors', method: 'get', path: '/api/connectors', tag: 'Connectors', auth: 'config',
  summary: 'List connectors', query: pageQuery,
  answers: { 200: { description: 'Newest first.', schema: pageOf(listedConnector) } },
  errors: [],
});

export const getConnector = defineRoute({
  name: 'get_connector', method: 'get', path: '/api/connectors/:connector_id', tag: 'Connectors', auth: 'config',
  summary: 'Read a connector', params: connectorParams,
  answers: { 200: { description: 'The connector with `health`, `write_cap` and `warnings`.', schema: readConnectorSchema } },
  errors: ['connector_not_found'],
});

export const updateConnector = defineRoute({
  name: 'update_connector',
  method: 'patch',
  path: '/api/connectors/:connector_id',
  tag: 'Connectors',
  auth: 'config',
  audit: { action: 'connector.update', target: 'connector', param: 'connector_id' },
  summary: 'Change a connector; `settings` is replaced whole, another portal needs `confirm_rebind`',
  params: connectorParams,
  bodyLimit: bodyLimits.medium,
  body: {
    type: 'object',
    additionalProperties: false,
    properties: {
      name: nameText,
      status: {
        type: 'string', enum: ['active', 'paused'],
        description: '`error` is set where the CRM refuses the credential for good or the portal is gone; `active` ends it.',
      },
      default_store_id: { ...nameText, type: ['string', 'null'] },
      settings: knownSettings,
      credential_id: nullableText,
      confirm_rebind: { type: 'boolean', default: false },
    },
  } as const,
  answers: {
    200: {
      description: 'The changed connector. `warnings` begins with `ordering_changed` when the new settings order its events otherwise.',
      schema: readConnectorSchema,
    },
  },
  errors: [
    'invalid_credential',
    'rebind_failed',
    'connector_not_found',
    'rebind_confirmation_required',
    'write_cap_release_required',
    'write_cap_resume_in_progress',
  ],
  examples: [{ title: 'Pause', body: { status: 'paused' } }],
});

export const deleteConnector = defineRoute({
  name: 'delete_connector', method: 'delete', path: '/api/connectors/:connector_id', tag: 'Connectors', auth: 'config',
  audit: { action: 'connector.delete', target: 'connector', param: 'connector_id' },
  summary: 'Delete a connector', params: connectorParams,
  answers: { 204: deleted },
  errors: ['connector_not_found'],
});

export const createConnectorApiKey = defineRoute({
  name: 'create_connector_api_key', method: 'post', path: '/api/connectors/:connector_id/api-keys', tag: 'Keys', auth: 'config',
  needsVerified: true,
  audit: { action: 'connector_key.create', target: 'connector_key' },
  summary: 'Create a key for the event plane of one connector', params: connectorParams, bodyLimit: bodyLimits.small,
  body: {
    type: 'object', required: ['label'], additionalProperties: false,
    properties: { label: nameText, expires_at: { type: ['string', 'null'], format: 'date-time' } },
  } as const,
  answers: { 201: { description: 'The key, shown this once.', schema: createdApiKeySchema } },
  errors: ['connector_not_found', 'api_key_limit_reached'],
  examples: [{ title: 'For the shop', body: { label: 'shop backend' } }],
});

export const listConnectorApiKeys = defineRoute({
  name: 'list_connector_api_keys', method: 'get', path: '/api/connectors/:connector_id/api-keys', tag: 'Keys', auth: 'config',
  summary: 'List the keys of a connector', params: connectorParams, query: pageQuery,
  answers: { 200: { description: 'Newest first, revoked ones too.', schema: pageOf(apiKeySchema) } },
  errors: ['connector_not_found'],
});

export const revokeConnectorApiKey = defineRoute({
  name: 'revoke_connector_api_key',
  method: 'delete',
  path: '/api/connectors/:connector_id/api-keys/:key_id',
  tag: 'Keys',
  auth: 'config',
  audit: { action: 'connector_key.revoke', target: 'connector_key', param: 'key_id' },
  summary: 'Revoke a key of a connector',
  params: { type: 'object', required: ['connector_id', 'key_id'], properties: { connector_id: idText, key_id: idText } } as const,
  answers: { 204: deleted },
  errors: ['connector_not_found', 'Not Found'],
});
