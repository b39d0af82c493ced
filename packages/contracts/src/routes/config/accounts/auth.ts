import { defineRoute } from '../../../http/route';
import { loggedIn, mfaRequired, sessionAnswer, sessionCookies } from './session-schema';
import { bodyLimits, emailText, nameText, newPassword, presentPassword, uuid } from '../shared';

const csrfHeader = { type: 'string', description: 'Value of the cookie `sluice_csrf`.' } as const;
const noBody = { type: 'object', additionalProperties: false, properties: {} } as const;

/** Sign-up (docs/reference/accounts-and-plans.md, Sign-up and sessions). */
export const signUp = defineRoute({
  name: 'sign_up',
  method: 'post',
  path: '/api/auth/signup',
  tag: 'Authentication',
  auth: 'none',
  sameSite: true,
  audit: { action: 'account.create', target: 'organization' },
  summary: 'Create a user with an organization of his own and sign in',
  secretFields: ['password'],
  bodyLimit: bodyLimits.stranger,
  body: {
    type: 'object',
    required: ['email', 'password', 'organization_name'],
    additionalProperties: false,
    properties: { email: emailText, password: newPassword, organization_name: nameText },
  } as const,
  answers: {
    201: {
      description: `Signed up and signed in. ${sessionCookies}`,
      schema: {
        ...loggedIn,
        required: [...loggedIn.required, 'organization_id'],
        properties: { ...loggedIn.properties, organization_id: uuid },
      },
    },
  },
  errors: ['password_too_short', 'password_too_common', 'email_already_registered', 'signup_limit_reached', 'too_many_attempts'],
  examples: [
    { title: 'A new shop', body: { email: 'owner@shop.example', password: 'correct horse battery', organization_name: 'Shop' } },
  ],
});

export const login = defineRoute({
  name: 'login',
  method: 'post',
  path: '/api/auth/login',
  tag: 'Authentication',
  auth: 'none',
  sameSite: true,
  audit: { action: 'session.create', target: 'session' },
  summary: 'Sign in',
  secretFields: ['password'],
  bodyLimit: bodyLimits.stranger,
  body: {
    type: 'object',
    required: ['email', 'password'],
    additionalProperties: false,
    properties: { email: { type: 'string', maxLength: 254 }, password: presentPassword },
  } as const,
  answers: {
    200: {
      description: `Signed in. ${sessionCookies} With a second factor: \`mfa_token\` instead, and no cookie.`,
      schema: { anyOf: [{ ...loggedIn, additionalProperties: false }, mfaRequired] },
    },
  },
  errors: ['Invalid credentials', 'account_deactivated', 'too_many_attempts'],
  examples: [{ title: 'Sign in', body: { email: 'owner@shop.example', password: 'correct horse battery' } }],
});

export const refreshSession = defineRoute({
  name: 'refresh_session',
  method: 'post',
  path: '/api/auth/refresh',
  tag: 'Authentication',
  auth: 'none',
  sameSite: true,
  cookie: 'refreshCookie',
  audit: null,
  summary: 'Exchange the refresh cookie for a new session token',
  headers: { type: 'object', required: ['X-CSRF-Token'], properties: { 'X-CSRF-Token': csrfHeader } },
  bodyRequired: false,
  bodyLimit: bodyLimits.stranger,
  body: noBody,
  answers: {
    200: {
      description:
        'Refreshed; both cookies are renewed. Needs the header `X-CSRF-Token` with the value of the `sluice_csrf` cookie.',
      schema: sessionAnswer,
    },
  },
  errors: ['No refresh token', 'Invalid refresh token', 'Token reuse detected', 'CSRF validation failed', 'account_deactivated'],
});

export const logout = defineRoute({
  name: 'logout',
  method: 'post',
  path: '/api/auth/logout',
  tag: 'Authentication',
  auth: 'none',
  sameSite: true,
  cookie: 'refreshCookie',
  audit: { action: 'session.end', target: 'session' },
  summary: 'End the session of the session token or of the refresh cookie',
  headers: { type: 'object', properties: { 'X-CSRF-Token': csrfHeader } },
  bodyRequired: false,
  bodyLimit: bodyLimits.stranger,
  body: noBody,
  answers: {
    204: { description: 'Signed out; the cookies are cleared. A refresh cookie without a session token needs `X-CSRF-Token`.' },
  },
  errors: ['CSRF validation failed'],
});

const mailToken = { type: 'string', minLength: 1, maxLength: 256, description: 'The token of the link in the mail.' } as const;

export const verifyEmail = defineRoute({
  name: 'verify_email',
  method: 'post',
  path: '/api/auth/verify-email',
  tag: 'Authentication',
  auth: 'none',
  sameSite: true,
  audit: { action: 'account.verify_email', target: 'user' },
  summary: 'Verify the email address of an account with the token that was sent to it',
  description: 'No sign-in is needed. A session token of another account in the request is refused.',
  bodyLimit: bodyLimits.stranger,
  secretFields: ['token'],
  body: { type: 'object', required: ['token'], additionalProperties: false, properties: { token: mailToken } } as const,
  answers: { 204: { description: 'Verified.' } },
  errors: ['token_invalid', 'token_expired', 'token_consumed', 'verification_tab_required'],
  examples: [{ title: 'From the link', body: { token: 'Zk9...' } }],
});

export const resendVerification = defineRoute({
  name: 'resend_verification',
  method: 'post',
  path: '/api/auth/resend-verification',
  tag: 'Authentication',
  auth: 'none',
  sameSite: true,
  audit: null,
  summary: 'Send the verification mail of an address again',
  description: 'The answer is the same for every address. No mail goes to unknown and verified ones, and at most 5 an hour to one.',
  bodyLimit: bodyLimits.stranger,
  body: { type: 'object', required: ['email'], additionalProperties: false, properties: { email: emailText } } as const,
  answers: { 202: { description: 'A mail follows where one is due.' } },
  errors: [],
  examples: [{ title: 'Again', body: { email: 'owner@shop.example' } }],
});
