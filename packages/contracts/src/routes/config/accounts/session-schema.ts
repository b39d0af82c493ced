import { uuid } from '../shared';

const sessionProperties = {
  access_token: { type: 'string', description: 'Session token for `Authorization: Bearer`.' },
  token_type: { type: 'string', const: 'bearer' },
  expires_in: { type: 'integer', description: 'Seconds.' },
  active_org_id: { type: ['string', 'null'], format: 'uuid', description: 'null: the user is a member of no organization.' },
} as const;
const sessionFields = ['access_token', 'token_type', 'expires_in', 'active_org_id'] as const;

/** A session token as refresh and a change of the active organization answer it. */
export const sessionAnswer = { type: 'object', required: sessionFields, properties: sessionProperties } as const;

export const loggedIn = {
  type: 'object', required: [...sessionFields, 'user_id'],
  properties: { ...sessionProperties, user_id: uuid },
} as const;

/** The answer of a first step that needs a second one: no cookie is set. */
export const mfaRequired = {
  type: 'object', required: ['mfa_required', 'mfa_token'], additionalProperties: false,
  properties: {
    mfa_required: { type: 'boolean', const: true },
    mfa_token: {
      type: 'string', description: 'For `POST /api/auth/login/mfa`, once, within 5 minutes (`SLUICE_MFA_TOKEN_TTL`).',
    },
  },
} as const;

export const sessionCookies = 'Sets the cookies `sluice_refresh` (httpOnly, path `/api/auth`) and `sluice_csrf`.';
