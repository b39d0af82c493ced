export const credentialTypes = ['crm_oauth', 'api_key', 'bearer_token', 'oauth2_client_credentials', 'login'] as const;
export type CredentialType = (typeof credentialTypes)[number];

const text = { type: 'string', minLength: 1, maxLength: 8192 } as const;
const one = (name: string) =>
  ({ type: 'object', required: [name], additionalProperties: false, properties: { [name]: text } }) as const;

/** Shape of `data` per credential type (docs/reference/portals-and-publishing.md, Credentials). */
export const credentialData: Readonly<Record<CredentialType, Readonly<Record<string, unknown>>>> = {
  crm_oauth: {
    type: 'object', additionalProperties: false, minProperties: 1, maxProperties: 1,
    properties: { access_token: text, refresh_token: text },
  },
  api_key: one('value'),
  bearer_token: one('token'),
  oauth2_client_credentials: {
    type: 'object', required: ['token_url', 'client_id', 'client_secret'], additionalProperties: false,
    properties: {
      token_url: { type: 'string', format: 'uri', pattern: '^https?://', maxLength: 2048 },
      client_id: text, client_secret: text, scope: text, audience: text,
    },
  },
  login: {
    type: 'object', required: ['username', 'password'], additionalProperties: false,
    properties: { username: text, password: text },
  },
};
