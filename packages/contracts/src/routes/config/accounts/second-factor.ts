import { defineRoute } from '../../../http/route';
import { loggedIn, sessionCookies } from './session-schema';
import { bodyLimits, presentPassword } from '../shared';

const tag = 'Account';
const codeText = { type: 'string', minLength: 1, maxLength: 64 } as const;
const code = { ...codeText, description: 'The six digits that the authenticator shows now.' } as const;
const codeOrRecovery = { ...code, description: 'The six digits that the authenticator shows now, or a recovery code.' } as const;
const noBody = { type: 'object', additionalProperties: false, properties: {} } as const;
const recoveryCodes = {
  type: 'object',
  required: ['recovery_codes'],
  properties: {
    recovery_codes: {
      type: 'array', items: { type: 'string' }, minItems: 10, maxItems: 10,
      description: 'Each stands for a code of the authenticator, once. They are shown this once.',
    },
  },
} as const;
const passwordAndCode = {
  type: 'object',
  required: ['password', 'code'],
  additionalProperties: false,
  properties: { password: presentPassword, code: codeOrRecovery },
} as const;

/** The second factor of the caller's account (docs/reference/accounts-and-plans.md, Second factor). */
export const enrollMfa = defineRoute({
  name: 'enroll_mfa',
  method: 'post',
  path: '/api/me/mfa/enroll',
  tag,
  auth: 'account',
  audit: { action: 'mfa.enroll', target: 'user' },
  summary: 'Begin with a second factor; a code confirms it within 10 minutes',
  bodyRequired: false,
  bodyLimit: bodyLimits.small,
  body: noBody,
  answers: {
    200: {
      description: 'The secret for an authenticator (TOTP: SHA-1, six digits, 30 s). It is shown this once.',
      schema: {
        type: 'object',
        required: ['secret', 'otpauth_url', 'qr_svg'],
        properties: {
          secret: { type: 'string', description: 'Base32.' },
          otpauth_url: { type: 'string' },
          qr_svg: { type: 'string', description: '`otpauth_url` as an image.' },
        },
      },
    },
  },
  errors: ['mfa_already_enabled', 'enrollment_already_in_progress'],
});

export const confirmMfa = defineRoute({
  name: 'confirm_mfa',
  method: 'post',
  path: '/api/me/mfa/confirm',
  tag,
  auth: 'account',
  audit: { action: 'mfa.enable', target: 'user' },
  summary: 'Switch the second factor on with a code of the authenticator',
  secretFields: ['code'],
  bodyLimit: bodyLimits.small,
  body: { type: 'object', required: ['code'], additionalProperties: false, properties: { code } } as const,
  answers: { 200: { description: 'It is on: every sign-in asks for a code.', schema: recoveryCodes } },
  errors: ['no_pending_enrollment', 'invalid_code', 'code_locked'],
  examples: [{ title: 'A code', body: { code: '123456' } }],
});

export const disableMfa = defineRoute({
  name: 'disable_mfa',
  method: 'post',
  path: '/api/me/mfa/disable',
  tag,
  auth: 'account',
  audit: { action: 'mfa.disable', target: 'user' },
  summary: 'Switch the second factor off',
  secretFields: ['password', 'code'],
  bodyLimit: bodyLimits.small,
  body: passwordAndCode,
  answers: { 204: { description: 'It is off; its recovery codes are worth nothing.' } },
  errors: ['mfa_not_enabled', 'wrong_password', 'invalid_code', 'code_locked', 'too_many_attempts'],
  examples: [{ title: 'With a recovery code', body: { password: 'correct horse battery', code: 'k3v9d-2m7qx' } }],
});

export const replaceRecoveryCodes = defineRoute({
  name: 'replace_recovery_codes',
  method: 'post',
  path: '/api/me/mfa/recovery-codes',
  tag,
  auth: 'account',
  audit: { action: 'mfa.recovery_codes', target: 'user' },
  summary: 'Make new recovery codes; the old ones are worth nothing',
  secretFields: ['password', 'code'],
  bodyLimit: bodyLimits.small,
  body: passwordAndCode,
  answers: { 200: { description: 'The new codes.', schema: recoveryCodes } },
  errors: ['mfa_not_enabled', 'wrong_password', 'invalid_code', 'code_locked', 'too_many_attempts'],
});

export const loginMfa = defineRoute({
  name: 'login_mfa',
  method: 'post',
  path: '/api/auth/login/mfa',
  tag: 'Authentication',
  auth: 'none',
  sameSite: true,
  audit: { action: 'session.create', target: 'session' },
  summary: 'The second step of a sign-in: a code of the authenticator, or a recovery code',
  secretFields: ['mfa_token', 'code'],
  bodyLimit: bodyLimits.stranger,
  body: {
    type: 'object',
    required: ['mfa_token', 'code'],
    additionalProperties: false,
    properties: {
      mfa_token: { type: 'string', minLength: 1, maxLength: 256, description: 'Of the first step.' }, code: codeOrRecovery,
    },
  } as const,
  answers: { 200: { description: `Signed in. ${sessionCookies}`, schema: loggedIn } },
  errors: ['invalid_mfa_token', 'google_mfa_expired', 'invalid_mfa_code', 'code_locked', 'account_deactivated'],
  examples: [{ title: 'A code', body: { mfa_token: 'Zk9...', code: '123456' } }],
});
