import { defineSettings } from '../define-settings';

/** Sign-in elsewhere, by OpenID Connect. */
export const oidcSettings = defineSettings({
  oidcIssuer: {
    env: 'SLUICE_OIDC_ISSUER',
    type: 'url',
    needs: ['SLUICE_OIDC_CLIENT_ID', 'SLUICE_OIDC_CLIENT_SECRET'],
    defaultText: '(unset: no third-party sign-in)',
    description:
      'The OpenID issuer; endpoints and keys come from its discovery document. The redirect URI to register there is '
      + '`/api/auth/oidc/callback` below `SLUICE_PUBLIC_URL`.',
  },
  oidcClientId: { env: 'SLUICE_OIDC_CLIENT_ID', type: 'string', description: 'The client at the OpenID issuer.' },
  oidcClientSecret: { env: 'SLUICE_OIDC_CLIENT_SECRET', type: 'secret', description: 'The secret of that client.' },
});
