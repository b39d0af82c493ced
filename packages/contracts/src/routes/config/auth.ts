import { defineRoute } from '../../route';
import { bodyLimits, nameText, uuid } from './shared';

const email = { type: 'string', format: 'email', maxLength: 254 } as const;
/** Too short or too common a password is answered with 400, not with a 422. */
const password = {
  type: 'string',
  maxLength: 128,
  description: '10 to 128 characters, none of the most common passwords.',
} as const;

const sessionProperties = {
  access_token: { type: 'string', description: 'Session token for `Authorization: Bearer`.' },
  token_type: { type: 'string', const: 'bearer' },
  expires_in: { type: 'integer', description: 'Seconds.' },
  active_org_id: uuid,
} as const;
const sessionFields = ['access_token', 'token_type', 'expires_in', 'active_org_id'] as const;

const loggedIn = {
  type: 'object', required: [...sessionFields, 'user_id'],
  properties: { ...sessionProperties, user_id: uuid },
} as const;

const cookies = 'Sets the cookies `sluice_refresh` (httpOnly, path `/api/auth`) and `sluice_csrf`.';

const csrfHeader = { type: 'string', description: 'Value of the cookie `sluice_csrf`.' } as const;

/** Sign-up (docs/reference/accounts-and-plans.md, Sign-up and sessions). */
export const signUp = defineRoute({
  name: 'sign_up',
  method: 'post',
  path: '/api/auth/signup',
  tag: 'Authentication',
  auth: 'none',
  audit: { action: 'account.create', target: 'organization' },
  summary: 'Create a user with an organization of his own and sign in',
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object',
    required: ['email', 'password', 'organization_name'],
    additionalProperties: false,
    properties: { email, password, organization_name: nameText },
  } as const,
  answers: {
    201: {
      description: `Signed up and signed in. ${cookies}`,
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
  audit: { action: 'session.create', target: 'session' },
  summary: 'Sign in',
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object',
    required: ['email', 'password'],
    additionalProperties: false,
    properties: { email: { type: 'string', maxLength: 254 }, password },
  } as const,
  answers: { 200: { description: `Signed in. ${cookies}`, schema: loggedIn } },
  errors: ['Invalid credentials', 'no_active_organization', 'too_many_attempts'],
  examples: [{ title: 'Sign in', body: { email: 'owner@shop.example', password: 'correct horse battery' } }],
});

export const refreshSession = defineRoute({
  name: 'refresh_session',
  method: 'post',
  path: '/api/auth/refresh',
  tag: 'Authentication',
  auth: 'none',
  cookie: 'refreshCookie',
  audit: null,
  summary: 'Exchange the refresh cookie for a new session token',
  headers: { type: 'object', required: ['X-CSRF-Token'], properties: { 'X-CSRF-Token': csrfHeader } },
  bodyRequired: false,
  bodyLimit: bodyLimits.small,
  body: { type: 'object', additionalProperties: false, properties: {} } as const,
  answers: {
    200: {
      description:
        'Refreshed; both cookies are renewed. Needs the header `X-CSRF-Token` with the value of the `sluice_csrf` cookie.',
      schema: { type: 'object', required: sessionFields, properties: sessionProperties },
    },
  },
  errors: ['No refresh token', 'Invalid refresh token', 'Token reuse detected', 'CSRF validation failed'],
});

export const logout = defineRoute({
  name: 'logout',
  method: 'post',
  path: '/api/auth/logout',
  tag: 'Authentication',
  auth: 'none',
  cookie: 'refreshCookie',
  audit: { action: 'session.end', target: 'session' },
  summary: 'End the session of the session token or of the refresh cookie',
  headers: { type: 'object', properties: { 'X-CSRF-Token': csrfHeader } },
  bodyRequired: false,
  bodyLimit: bodyLimits.small,
  body: { type: 'object', additionalProperties: false, properties: {} } as const,
  answers: {
    204: { description: 'Signed out; the cookies are cleared. A refresh cookie without a session token needs `X-CSRF-Token`.' },
  },
  errors: ['CSRF validation failed'],
});

export const me = defineRoute({
  name: 'me', method: 'get', path: '/api/me', tag: 'Authentication', auth: 'config',
  summary: 'Who is calling',
  answers: {
    200: {
      description: 'The caller; `user` is null for an organization key.',
      schema: {
        type: 'object', required: ['user', 'role', 'organization'],
        properties: {
          user: { type: ['object', 'null'], required: ['id', 'email'], properties: { id: uuid, email: { type: 'string' } } },
          role: { type: ['string', 'null'], enum: ['owner', 'member', null] },
          organization: {
            type: 'object', required: ['id', 'name', 'tier', 'state'],
            properties: { id: uuid, name: { type: 'string' }, tier: { type: 'string' }, state: { type: 'string' } },
          },
        },
      },
    },
  },
  errors: [],
});
