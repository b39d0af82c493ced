import { defineRoute } from '../../../http/route';
import { credentialSchema } from './credential-schema';
import { authorizationAnswer, bodyLimits, idText, nameText, uuid } from '../shared';

/** Installs from the CRM's marketplace (docs/reference/portals-and-publishing.md, Installing from the marketplace). */
export const crmInstallCallback = defineRoute({
  name: 'crm_install_callback',
  method: 'get',
  path: '/api/v1/auth/crm/callback',
  tag: 'Credentials',
  auth: 'none',
  summary: 'Where the CRM sends a person who has installed the app',
  description: 'Exchanges the code for tokens, which wait for `POST /api/v1/auth/crm/install/{token}/attach`.',
  query: {
    type: 'object',
    additionalProperties: true,
    properties: {
      ...authorizationAnswer,
      code: { ...authorizationAnswer.code, description: 'Of the CRM, good once.' },
      error: { ...authorizationAnswer.error, description: 'The person has declined, or the CRM has failed.' },
    },
  } as const,
  answers: { 302: { description: 'To the public URL, with the install token as the query parameter `token`.' } },
  errors: ['crm_install_failed', 'crm_unavailable'],
});

export const attachInstall = defineRoute({
  name: 'attach_install',
  method: 'post',
  path: '/api/v1/auth/crm/install/:token/attach',
  tag: 'Credentials',
  auth: 'user',
  keyRefusal: 'user_session_required',
  audit: { action: 'crm.attach', target: 'credential' },
  summary: 'Take an install over as a credential, and let a connector act on its portal',
  params: { type: 'object', required: ['token'], properties: { token: { ...idText, maxLength: 256 } } } as const,
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: {
      name: nameText,
      connector_id: { ...idText, description: 'The connector that acts on the portal from now on.' },
      confirm_rebind: { type: 'boolean', description: 'Allows a change of portal that deletes the identity mappings.' },
    },
  } as const,
  answers: {
    201: {
      description: 'The credential, with the portal and the scopes that were granted.',
      schema: {
        ...credentialSchema,
        required: [...credentialSchema.required, 'connector_id'],
        properties: { ...credentialSchema.properties, connector_id: { ...uuid, type: ['string', 'null'] } },
      },
    },
  },
  errors: [
    'install_not_found', 'install_consumed', 'install_expired', 'portal_limit_reached', 'connector_not_found',
    'rebind_confirmation_required', 'rebind_failed',
  ],
  examples: [{ title: 'With a connector', body: { name: 'portal', connector_id: '5f0c1c9e-0000-4000-8000-000000000001' } }],
});
