import { defineRoute } from '../../../http/route';
import {
  bodyLimits,
  connectorParams,
  deleted,
  idText,
  nameText,
  nullableTimestamp,
  pageOf,
  pageQuery,
  timestamp,
  uuid,
} from '../shared';

/** A compat key as lists show it: never the secret. */
const compatKeySchema = {
  type: 'object',
  required: ['id', 'label', 'is_active', 'created_at', 'last_used_at'],
  additionalProperties: false,
  properties: {
    id: uuid, label: { type: 'string' }, is_active: { type: 'boolean' },
    created_at: timestamp, last_used_at: nullableTimestamp,
  },
} as const;

/** Imports the secret that a legacy system already sends (docs/reference/accounts-and-plans.md, Who may call). */
export const createCompatKey = defineRoute({
  name: 'create_compat_key',
  method: 'post',
  path: '/api/connectors/:connector_id/compat-keys',
  tag: 'Keys',
  auth: 'owner_or_key',
  needsVerified: true,
  audit: { action: 'compat_key.create', target: 'compat_key' },
  summary: 'Import a key of the legacy-compatible ingress of one connector',
  description: 'The secret is the one the legacy system already sends. It is stored hashed and never returned.',
  params: connectorParams,
  bodyLimit: bodyLimits.small,
  secretFields: ['secret'],
  body: {
    type: 'object',
    required: ['secret', 'label'],
    additionalProperties: false,
    properties: {
      secret: { type: 'string', minLength: 8, maxLength: 512, description: 'Taken verbatim: spaces count.' },
      label: nameText,
    },
  } as const,
  answers: { 201: { description: 'The key, without its secret.', schema: compatKeySchema } },
  errors: ['connector_not_found', 'owner_required', 'duplicate_compat_key', 'api_key_limit_reached'],
  examples: [{ title: 'The key of an old shop', body: { secret: 'k9-legacy-secret', label: 'old shop' } }],
});

export const listCompatKeys = defineRoute({
  name: 'list_compat_keys', method: 'get', path: '/api/connectors/:connector_id/compat-keys', tag: 'Keys', auth: 'config',
  summary: 'List the keys of the legacy-compatible ingress', params: connectorParams, query: pageQuery,
  answers: { 200: { description: 'Newest first, revoked ones too.', schema: pageOf(compatKeySchema) } },
  errors: ['connector_not_found'],
});

export const revokeCompatKey = defineRoute({
  name: 'revoke_compat_key',
  method: 'delete',
  path: '/api/connectors/:connector_id/compat-keys/:key_id',
  tag: 'Keys',
  auth: 'owner_or_key',
  audit: { action: 'compat_key.revoke', target: 'compat_key', param: 'key_id' },
  summary: 'Revoke a key of the legacy-compatible ingress',
  params: { type: 'object', required: ['connector_id', 'key_id'], properties: { connector_id: idText, key_id: idText } } as const,
  answers: { 204: deleted },
  errors: ['connector_not_found', 'owner_required', 'Not Found'],
});
