import { defineRoute } from '../../../http/route';
import { organizationParams, roleSchema } from './organization-schema';
import { bodyLimits, deleted, idText, nullableText, pageOf, pageQuery, timestamp, uuid } from '../shared';

const tag = 'Members';

const member = {
  type: 'object',
  required: ['user_id', 'name', 'email', 'role', 'mfa_enabled', 'joined_at'],
  properties: {
    user_id: uuid, name: nullableText, email: { type: 'string' }, role: roleSchema, mfa_enabled: { type: 'boolean' },
    joined_at: timestamp,
  },
} as const;

const params = {
  type: 'object',
  required: ['organization_id', 'user_id'],
  properties: { organization_id: idText, user_id: idText },
} as const;

/** Members (docs/reference/accounts-and-plans.md, Members and invitations). */
export const listMembers = defineRoute({
  name: 'list_members', method: 'get', path: '/api/orgs/:organization_id/members', tag, auth: 'config', organization: 'active',
  summary: 'List members',
  params: organizationParams,
  query: pageQuery,
  answers: { 200: { description: 'Oldest membership first.', schema: pageOf(member) } },
  errors: [],
});

export const changeMember = defineRoute({
  name: 'change_member',
  method: 'patch',
  path: '/api/orgs/:organization_id/members/:user_id',
  tag,
  auth: 'owner',
  organization: 'active',
  audit: { action: 'member.update', target: 'user', param: 'user_id' },
  summary: 'Change the role of a member, from his next request on',
  params,
  bodyLimit: bodyLimits.small,
  body: { type: 'object', required: ['role'], additionalProperties: false, properties: { role: roleSchema } } as const,
  answers: { 200: { description: 'The member.', schema: member } },
  errors: ['Not Found', 'last_owner'],
  examples: [{ title: 'A second owner', body: { role: 'owner' } }],
});

export const removeMember = defineRoute({
  name: 'remove_member',
  method: 'delete',
  path: '/api/orgs/:organization_id/members/:user_id',
  tag,
  auth: 'user',
  keyRefusal: 'owner_required',
  organization: 'active',
  audit: { action: 'member.remove', target: 'user', param: 'user_id' },
  summary: 'Remove a member, from his next request on; a member may remove himself',
  params,
  answers: { 204: deleted },
  errors: ['Not Found', 'owner_required', 'last_owner'],
});
