import { defineRoute } from '../../../http/route';
import { organizationParams, roleSchema } from './organization-schema';
import { loggedIn, sessionCookies } from '../accounts/session-schema';
import { bodyLimits, deleted, emailText, idText, nameText, newPassword, pageOf, pageQuery, timestamp, uuid } from '../shared';

const tag = 'Members';
const made = { id: uuid, email: { type: 'string' }, role: roleSchema, expires_at: timestamp } as const;

/** Invitations. The token goes to the invited address only (docs/reference/accounts-and-plans.md, Members and invitations). */
export const createInvitation = defineRoute({
  name: 'create_invitation',
  method: 'post',
  path: '/api/orgs/:organization_id/invitations',
  tag,
  auth: 'owner',
  organization: 'active',
  needsVerified: true,
  audit: { action: 'invitation.create', target: 'invitation' },
  summary: 'Invite an address by mail; inviting it again replaces the earlier invitation',
  params: organizationParams,
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object', required: ['email', 'role'], additionalProperties: false, properties: { email: emailText, role: roleSchema },
  } as const,
  answers: {
    201: {
      description: 'Invited.', schema: { type: 'object', required: ['id', 'email', 'role', 'expires_at'], properties: made },
    },
  },
  errors: ['already_member', 'seat_limit_reached', 'organization_closing'],
  examples: [{ title: 'A colleague', body: { email: 'colleague@shop.example', role: 'member' } }],
});

const listed = {
  type: 'object',
  required: ['id', 'email', 'role', 'expires_at', 'created_at', 'invited_by'],
  properties: {
    ...made,
    created_at: timestamp,
    invited_by: {
      type: ['object', 'null'], required: ['id', 'email'], properties: { id: uuid, email: { type: 'string' } },
      description: 'null: that account does not exist any more.',
    },
  },
} as const;

export const listInvitations = defineRoute({
  name: 'list_invitations', method: 'get', path: '/api/orgs/:organization_id/invitations', tag, auth: 'owner',
  organization: 'active',
  summary: 'List open invitations',
  params: organizationParams,
  query: pageQuery,
  answers: { 200: { description: 'Newest first; never the token.', schema: pageOf(listed) } },
  errors: [],
});

export const revokeInvitation = defineRoute({
  name: 'revoke_invitation',
  method: 'delete',
  path: '/api/orgs/:organization_id/invitations/:invitation_id',
  tag,
  auth: 'owner',
  organization: 'active',
  audit: { action: 'invitation.revoke', target: 'invitation', param: 'invitation_id' },
  summary: 'Revoke an open invitation',
  params: {
    type: 'object',
    required: ['organization_id', 'invitation_id'],
    properties: { organization_id: idText, invitation_id: idText },
  } as const,
  answers: { 204: deleted },
  errors: ['Not Found'],
});

const joined = { organization_id: uuid, user_id: uuid, role: roleSchema } as const;

export const acceptInvitation = defineRoute({
  name: 'accept_invitation',
  method: 'post',
  path: '/api/invitations/:token/accept',
  tag,
  auth: 'none',
  sameSite: true,
  audit: { action: 'invitation.accept', target: 'invitation' },
  summary: 'Join the organization, with a new account or with the account of the invited address',
  description:
    'An address without an account gets one: `name` and `password` are required, and the answer signs in. For an address that has '
    + 'an account the request needs the session token of that account, and `password` is ignored.',
  params: { type: 'object', required: ['token'], properties: { token: { type: 'string', maxLength: 256 } } } as const,
  secretFields: ['password'],
  bodyRequired: false,
  bodyLimit: bodyLimits.stranger,
  body: { type: 'object', additionalProperties: false, properties: { password: newPassword, name: nameText } } as const,
  answers: {
    200: {
      description: `Joined. With a new account: the login answer too. ${sessionCookies}`,
      schema: {
        anyOf: [
          {
            ...loggedIn, required: [...loggedIn.required, 'organization_id', 'role'],
            properties: { ...loggedIn.properties, ...joined },
          },
          { type: 'object', additionalProperties: false, required: ['organization_id', 'user_id', 'role'], properties: joined },
        ],
      },
    },
  },
  errors: [
    'Not authenticated', 'Invalid token', 'invitation_for_other_account', 'invitation_not_found', 'invitation_revoked',
    'invitation_expired', 'invitation_accepted', 'seat_limit_reached', 'organization_closing', 'password_too_short',
    'password_too_common', 'too_many_attempts',
  ],
  examples: [{ title: 'A new account', body: { name: 'Ada', password: 'correct horse battery' } }],
});
