import { defineRoute } from '../../../http/route';
import { apiKeySchema, bodyLimits, createdApiKeySchema, deleted, idText, nameText, pageOf, pageQuery,
  timestamp } from '../shared';

/** Only a signed-in owner creates a key; a key cannot create another one (docs/reference/accounts-and-plans.md, Who may call). */
export const createOrgApiKey = defineRoute({
  name: 'create_org_api_key',
  method: 'post',
  path: '/api/org-api-keys',
  tag: 'Keys',
  auth: 'owner',
  needsVerified: true,
  audit: { action: 'org_key.create', target: 'org_key' },
  summary: 'Create an organization API key',
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object',
    required: ['label'],
    additionalProperties: false,
    properties: {
      label: nameText,
      expires_at: { ...timestamp, type: ['string', 'null'], description: 'No expiry when absent.' },
    },
  } as const,
  answers: { 201: { description: 'The key, shown this once.', schema: createdApiKeySchema } },
  errors: ['owner_required', 'api_key_limit_reached'],
  examples: [{ title: 'For a pipeline', body: { label: 'deploy' } }],
});

export const listOrgApiKeys = defineRoute({
  name: 'list_org_api_keys', method: 'get', path: '/api/org-api-keys', tag: 'Keys', auth: 'owner',
  summary: 'List organization API keys',
  query: pageQuery,
  answers: { 200: { description: 'Newest first, revoked ones too.', schema: pageOf(apiKeySchema) } },
  errors: ['owner_required'],
});

export const revokeOrgApiKey = defineRoute({
  name: 'revoke_org_api_key', method: 'delete', path: '/api/org-api-keys/:key_id', tag: 'Keys', auth: 'owner',
  audit: { action: 'org_key.revoke', target: 'org_key', param: 'key_id' },
  summary: 'Revoke an organization API key',
  params: { type: 'object', required: ['key_id'], properties: { key_id: idText } } as const,
  answers: { 204: deleted },
  errors: ['owner_required', 'Not Found'],
});
