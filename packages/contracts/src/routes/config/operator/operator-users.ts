import { defineRoute } from '../../../http/route';
import { bodyLimits, idText, nullableText, pageOf, timestamp, uuid } from '../shared';

const user = {
  type: 'object',
  required: ['id', 'email', 'name', 'email_verified', 'mfa_enabled', 'deactivated', 'created_at'],
  properties: {
    id: uuid, email: { type: 'string' }, name: nullableText, email_verified: { type: 'boolean' }, mfa_enabled: {
      type: 'boolean',
    },
    deactivated: { type: 'boolean' }, created_at: timestamp,
  },
} as const;

/** Accounts as an operator sees them (docs/reference/operator-api.md, Accounts). */
export const findUsers = defineRoute({
  name: 'find_users',
  method: 'get',
  path: '/operator/users',
  tag: 'Operator',
  auth: 'operator',
  audit: { action: 'account.read', target: 'user' },
  summary: 'Find the account of an email address',
  query: {
    type: 'object', required: ['email'], additionalProperties: false, properties: { email: { type: 'string', maxLength: 254 } },
  } as const,
  answers: { 200: { description: 'The account, or none.', schema: pageOf(user) } },
  errors: [],
});

export const updateUser = defineRoute({
  name: 'update_user',
  method: 'patch',
  path: '/operator/users/:user_id',
  tag: 'Operator',
  auth: 'operator',
  audit: { action: 'account.deactivate', target: 'user', param: 'user_id' },
  summary: 'Close an account, or open it again: nobody signs in to a closed one, and its tokens are refused',
  params: { type: 'object', required: ['user_id'], properties: { user_id: idText } } as const,
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object', required: ['deactivated'], additionalProperties: false, properties: { deactivated: { type: 'boolean' } },
  } as const,
  answers: { 200: { description: 'The account.', schema: user } },
  errors: ['Not Found'],
});
