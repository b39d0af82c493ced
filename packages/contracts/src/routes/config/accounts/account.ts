import { defineRoute } from '../../../http/route';
import { organizationStates, tiers } from '../../../connector-change';
import { sessionAnswer } from './session-schema';
import { bodyLimits, idText, nameText, nullableText, uuid } from '../shared';

const tag = 'Account';
const role = { type: ['string', 'null'], enum: ['owner', 'member', null] } as const;
const state = { type: 'string', enum: [...organizationStates] } as const;

const userProperties = {
  id: uuid, email: { type: 'string' }, name: nullableText, email_verified: { type: 'boolean' }, mfa_enabled: { type: 'boolean' },
} as const;
const userFields = ['id', 'email', 'name', 'email_verified', 'mfa_enabled'] as const;
const user = { type: 'object', required: userFields, properties: userProperties } as const;

const membership = {
  type: 'object', required: ['organization_id', 'name', 'role', 'state'],
  properties: { organization_id: uuid, name: { type: 'string' }, role, state },
} as const;

/** The caller's own account (docs/reference/accounts-and-plans.md, Organizations). */
export const me = defineRoute({
  name: 'me', method: 'get', path: '/api/me', tag, auth: 'account_or_key',
  summary: 'Who is calling',
  answers: {
    200: {
      description: '`user` is null for an organization key, `organization` for a person whose session has none.',
      schema: {
        type: 'object', required: ['user', 'organization', 'memberships'],
        properties: {
          user: { type: ['object', 'null'], required: userFields, properties: userProperties },
          organization: {
            type: ['object', 'null'], required: ['id', 'name', 'role', 'tier', 'state'],
            properties: { id: uuid, name: { type: 'string' }, role, tier: { type: 'string', enum: [...tiers] }, state },
          },
          memberships: { type: 'array', items: membership },
        },
      },
    },
  },
  errors: [],
});

export const changeMe = defineRoute({
  name: 'change_me',
  method: 'patch',
  path: '/api/me',
  tag,
  auth: 'account',
  audit: { action: 'account.update', target: 'user' },
  summary: 'Change the name of the account',
  bodyLimit: bodyLimits.small,
  body: { type: 'object', additionalProperties: false, properties: { name: nameText } } as const,
  answers: { 200: { description: 'The user.', schema: user } },
  errors: [],
  examples: [{ title: 'A name', body: { name: 'Ada Byron' } }],
});

export const setActiveOrganization = defineRoute({
  name: 'set_active_organization',
  method: 'put',
  path: '/api/me/active-organization',
  tag,
  auth: 'account',
  audit: { action: 'session.update', target: 'session' },
  summary: 'Act in another organization of the account from now on, also after refreshes',
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object', required: ['organization_id'], additionalProperties: false, properties: { organization_id: idText },
  } as const,
  answers: { 200: { description: 'A session token for the organization.', schema: sessionAnswer } },
  errors: ['not_a_member'],
});
