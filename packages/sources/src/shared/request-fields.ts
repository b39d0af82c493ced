import type { SourceFieldSchema } from '../field-schema';

const headerCount = 50;

/** Fields of every source that requests are made to: who asks, and with which headers. */
export const requestFields = {
  credential_name: {
    type: 'string', maxLength: 128, 'x-holds': 'credential_name', description: 'Name of a credential of the organization.',
  },
  auth_type: {
    type: 'string', enum: ['header', 'bearer', 'basic'],
    description: 'How the credential is sent. Default: header for an api_key, bearer for a bearer_token.',
  },
  auth_header: {
    type: 'string', minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9_-]+$', default: 'X-API-Key',
    'x-holds': 'header_name',
    description: 'Header of auth_type header.',
  },
  default_headers: {
    type: 'object', maxProperties: headerCount, 'x-holds': 'headers',
    description: 'Headers of every request. Credentials do not belong here.',
  },
  secret_headers: {
    type: 'object', maxProperties: headerCount, additionalProperties: { type: 'string', minLength: 1, maxLength: 128 },
    'x-holds': 'credential_names', description: 'Header name to the name of an api_key credential.',
  },
} as const satisfies Record<string, SourceFieldSchema>;
