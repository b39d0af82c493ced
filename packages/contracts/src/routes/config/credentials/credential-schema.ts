import { credentialTypes } from './credential-data';
import { nullableText, timestamp, uuid } from '../shared';

export const allowedHosts = {
  type: ['array', 'null'], minItems: 1, maxItems: 50, uniqueItems: true, items: { type: 'string', minLength: 1, maxLength: 260 },
  description:
    'Hosts that it may be sent to: a name, or `*.name` for its subdomains, with `:port` only that port. null: any. '
    + 'Not for `crm_oauth`.',
} as const;

/** A credential without its data. */
export const credentialSchema = {
  type: 'object',
  required: ['id', 'name', 'credential_type', 'portal_id', 'scopes', 'allowed_hosts', 'created_at', 'updated_at'],
  additionalProperties: false,
  properties: {
    id: uuid, name: { type: 'string' }, credential_type: { type: 'string', enum: [...credentialTypes] },
    portal_id: { ...nullableText, description: 'Read from the CRM; null for connector-side credentials.' },
    scopes: { type: 'array', items: { type: 'string' } }, allowed_hosts: allowedHosts,
    created_at: timestamp, updated_at: timestamp,
  },
} as const;
