import { defineRoute } from '../../../http/route';
import { credentialData, credentialTypes } from './credential-data';
import { allowedHosts, credentialSchema } from './credential-schema';
import { bodyLimits, deleted, freeObject, idText, nameText, pageOf, pageQuery } from '../shared';

const params = { type: 'object', required: ['credential_id'], properties: { credential_id: idText } } as const;

/** Adds the shape of `data` for each `credential_type` to the schema; the TypeScript type of the body stays as it was. */
function withDataOfType<const B extends object>(body: B): B {
  const allOf = credentialTypes.map((type) => ({
    if: { required: ['credential_type'], properties: { credential_type: { const: type } } },
    then: { properties: { data: credentialData[type] } },
  }));
  return { ...body, allOf };
}

export const createCredential = defineRoute({
  name: 'create_credential',
  method: 'post',
  path: '/api/credentials',
  tag: 'Credentials',
  auth: 'config',
  audit: { action: 'credential.create', target: 'credential' },
  summary: 'Store a credential; `data` is encrypted and never returned',
  secretFields: ['data'],
  bodyLimit: bodyLimits.medium,
  body: withDataOfType({
    type: 'object',
    required: ['name', 'credential_type', 'data'],
    additionalProperties: false,
    properties: {
      name: nameText, credential_type: { type: 'string', enum: [...credentialTypes] }, data: freeObject,
      allowed_hosts: allowedHosts,
    },
  } as const),
  answers: { 201: { description: 'Stored. Portal and scopes were read from the CRM.', schema: credentialSchema } },
  errors: ['portal_limit_reached', 'credential_name_taken', 'crm_token_refused', 'private_target', 'crm_unavailable'],
  examples: [
    { title: 'A CRM token', body: { name: 'portal', credential_type: 'crm_oauth', data: { access_token: '<ACCESS_TOKEN>' } } },
  ],
});

export const listCredentials = defineRoute({
  name: 'list_credentials', method: 'get', path: '/api/credentials', tag: 'Credentials', auth: 'config',
  summary: 'List credentials', query: pageQuery,
  answers: { 200: { description: 'Newest first, never with data.', schema: pageOf(credentialSchema) } },
  errors: [],
});

export const getCredential = defineRoute({
  name: 'get_credential', method: 'get', path: '/api/credentials/:credential_id', tag: 'Credentials', auth: 'config',
  summary: 'Read a credential', params,
  answers: { 200: { description: 'Without data.', schema: credentialSchema } },
  errors: ['Credential not found'],
});

export const rotateCredential = defineRoute({
  name: 'rotate_credential',
  method: 'put',
  path: '/api/credentials/:credential_id',
  tag: 'Credentials',
  auth: 'config',
  audit: { action: 'credential.rotate', target: 'credential', param: 'credential_id' },
  summary: 'Put new data in place of the old',
  params,
  secretFields: ['data'],
  bodyLimit: bodyLimits.medium,
  body: withDataOfType({
    type: 'object',
    required: ['data'],
    additionalProperties: false,
    properties: {
      data: freeObject, name: nameText, credential_type: { type: 'string', enum: [...credentialTypes] },
      allowed_hosts: { ...allowedHosts, description: `${allowedHosts.description} Absent: as they were.` },
    },
  } as const),
  answers: { 200: { description: 'Rotated.', schema: credentialSchema } },
  errors: [
    'Credential not found',
    'credential_name_taken',
    'credential_portal_mismatch',
    'crm_token_refused',
    'private_target',
    'crm_unavailable',
    'credential_refresh_busy',
  ],
});

export const deleteCredential = defineRoute({
  name: 'delete_credential', method: 'delete', path: '/api/credentials/:credential_id', tag: 'Credentials', auth: 'config',
  audit: { action: 'credential.delete', target: 'credential', param: 'credential_id' },
  summary: 'Delete a credential; for the CRM this disconnects the portal', params,
  answers: { 204: deleted },
  errors: ['Credential not found', 'credential_refresh_busy'],
});
