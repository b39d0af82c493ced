export const credentialTypes = ['crm_oauth', 'api_key', 'bearer_token', 'oauth2_client_credentials', 'login'] as const;
export type CredentialType = (typeof credentialTypes)[number];

const secret = { type: 'string', minLength: 1, maxLength: 8192 } as const;
const one = (...names: string[]) =>
  ({
    type: 'object',
    required: names,
    additionalProperties: false,
    properties: Object.fromEntries(names.map((name) => [name, secret])),
  }) as const;

/** Shape of `data` per credential type (docs/reference/portals-and-publishing.md, Credentials). */
export const credentialData: Readonly<Record<CredentialType, Readonly<Record<string, unknown>>>> = {
  crm_oauth: {
    type: 'object', additionalProperties: false, minProperties: 1, maxProperties: 1,
    properties: { access_token: secret, refresh_token: secret },
  },
  api_key: one('value'),
  bearer_token: one('token'),
  oauth2_client_credentials: {
    type: 'object', required: ['token_url', 'client_id', 'client_secret'], additionalProperties: false,
    properties: {
      token_url: { type: 'string', format: 'uri', pattern: '^https?://', maxLength: 2048 },
      client_id: secret, client_secret: secret, scope: secret, audience: secret,
    },
  },
  login: one('username', 'password'),
};
