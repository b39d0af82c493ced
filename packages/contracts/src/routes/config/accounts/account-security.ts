import { defineRoute } from '../../../http/route';
import {
  bodyLimits, deleted, emailText, idText, newPassword, nullableText, pageOf, pageQuery, presentPassword, timestamp, uuid,
} from '../shared';

const tag = 'Account';
const done = { description: 'Done.' } as const;
const mailToken = { type: 'string', minLength: 1, maxLength: 256, description: 'The token of the link in the mail.' } as const;

/** Password, address and sessions of the caller (docs/reference/accounts-and-plans.md, Password and address). */
export const changePassword = defineRoute({
  name: 'change_password',
  method: 'post',
  path: '/api/me/password',
  tag,
  auth: 'account',
  audit: { action: 'account.change_password', target: 'user' },
  summary: 'Change the password; the other sessions end',
  secretFields: ['current_password', 'new_password'],
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object',
    required: ['current_password', 'new_password'],
    additionalProperties: false,
    properties: { current_password: presentPassword, new_password: newPassword },
  } as const,
  answers: { 204: done },
  errors: ['wrong_password', 'same_password', 'password_too_short', 'password_too_common', 'too_many_attempts'],
  examples: [{ title: 'A better one', body: { current_password: 'correct horse', new_password: 'correct horse battery' } }],
});

export const changeEmail = defineRoute({
  name: 'change_email',
  method: 'post',
  path: '/api/me/email',
  tag,
  auth: 'account',
  audit: { action: 'account.change_email', target: 'user' },
  summary: 'Ask for another email address, which its mail confirms',
  description: 'It changes when it is confirmed. A second request replaces the first. The present address gets a notice.',
  secretFields: ['password'],
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object',
    required: ['new_email', 'password'],
    additionalProperties: false,
    properties: { new_email: emailText, password: presentPassword },
  } as const,
  answers: { 202: { description: 'A mail to the new address follows.' } },
  errors: ['wrong_password', 'same_email', 'email_taken', 'too_many_attempts'],
  examples: [{ title: 'A new address', body: { new_email: 'ada@shop.example', password: 'correct horse battery' } }],
});

export const confirmEmail = defineRoute({
  name: 'confirm_email',
  method: 'post',
  path: '/api/me/email/confirm',
  tag,
  auth: 'account',
  audit: { action: 'account.change_email', target: 'user' },
  summary: 'Confirm the new email address with the token or the code of the mail',
  secretFields: ['token', 'code'],
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object',
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    properties: {
      token: mailToken,
      code: { type: 'string', maxLength: 64, description: 'The six digits of the mail; five wrong ones end it, not the link.' },
    },
  } as const,
  answers: { 204: done },
  errors: [
    'no_pending_change', 'token_invalid', 'token_expired', 'code_invalid', 'code_expired', 'code_attempts_exhausted',
    'email_taken',
  ],
  examples: [{ title: 'By code', body: { code: '123456' } }],
});

const session = {
  type: 'object',
  required: ['id', 'created_at', 'last_used_at', 'ip', 'user_agent', 'current'],
  properties: {
    id: uuid, created_at: timestamp, last_used_at: timestamp, ip: nullableText, user_agent: nullableText,
    current: { type: 'boolean', description: 'Whether it is the session of this request.' },
  },
} as const;

export const listSessions = defineRoute({
  name: 'list_sessions', method: 'get', path: '/api/me/sessions', tag, auth: 'account',
  summary: 'List the sessions of the account',
  query: pageQuery,
  answers: { 200: { description: 'Those that have not ended, newest first.', schema: pageOf(session) } },
  errors: [],
});

export const revokeSession = defineRoute({
  name: 'revoke_session',
  method: 'delete',
  path: '/api/me/sessions/:session_id',
  tag,
  auth: 'account',
  audit: { action: 'session.revoke', target: 'session', param: 'session_id' },
  summary: 'End a session of the account; its tokens are refused at once',
  params: { type: 'object', required: ['session_id'], properties: { session_id: idText } } as const,
  answers: { 204: deleted },
  errors: ['Not Found'],
});

export const deleteMe = defineRoute({
  name: 'delete_me',
  method: 'delete',
  path: '/api/me',
  tag,
  auth: 'account',
  audit: { action: 'account.delete', target: 'user' },
  summary: 'Delete the account; organizations stay with their other owners',
  secretFields: ['password'],
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object', required: ['password'], additionalProperties: false, properties: { password: presentPassword },
  } as const,
  answers: { 204: deleted },
  errors: ['wrong_password', 'last_owner', 'too_many_attempts'],
});
