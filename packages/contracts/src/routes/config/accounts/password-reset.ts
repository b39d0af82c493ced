import { defineRoute } from '../../../http/route';
import { bodyLimits, emailText, newPassword } from '../shared';

const tag = 'Authentication';

/** A forgotten password (docs/reference/accounts-and-plans.md, Password and address). */
export const requestPasswordReset = defineRoute({
  name: 'request_password_reset',
  method: 'post',
  path: '/api/auth/password-reset',
  tag,
  auth: 'none',
  sameSite: true,
  audit: null,
  summary: 'Send a link that sets a new password',
  description: 'The answer is the same for every address. A newer link ends the older ones.',
  bodyLimit: bodyLimits.stranger,
  body: { type: 'object', required: ['email'], additionalProperties: false, properties: { email: emailText } } as const,
  answers: { 202: { description: 'A mail follows where there is an account.' } },
  errors: [],
  examples: [{ title: 'Forgotten', body: { email: 'owner@shop.example' } }],
});

export const confirmPasswordReset = defineRoute({
  name: 'confirm_password_reset',
  method: 'post',
  path: '/api/auth/password-reset/confirm',
  tag,
  auth: 'none',
  sameSite: true,
  audit: { action: 'account.reset_password', target: 'user' },
  summary: 'Set a new password with the token of the mail; every session ends, and the address counts as verified',
  description: 'A password that is refused does not use the token up. A second factor stays on.',
  secretFields: ['token', 'new_password'],
  bodyLimit: bodyLimits.stranger,
  body: {
    type: 'object',
    required: ['token', 'new_password'],
    additionalProperties: false,
    properties: { token: { type: 'string', minLength: 1, maxLength: 256 }, new_password: newPassword },
  } as const,
  answers: { 204: { description: 'Set. Sign in with it.' } },
  errors: [
    'token_invalid', 'token_expired', 'token_consumed', 'password_too_short', 'password_too_common', 'same_password',
    'too_many_attempts',
  ],
  examples: [{ title: 'From the link', body: { token: 'Zk9...', new_password: 'correct horse battery' } }],
});
