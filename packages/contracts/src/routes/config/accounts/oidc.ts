import { defineRoute } from '../../../http/route';
import { authorizationAnswer } from '../shared';

const tag = 'Authentication';

/** Sign-in at another provider (docs/reference/accounts-and-plans.md, Third-party sign-in). */
export const oidcStart = defineRoute({
  name: 'oidc_start',
  method: 'get',
  path: '/api/auth/oidc/start',
  tag,
  auth: 'none',
  summary: 'Begin a sign-in at the OpenID issuer of the installation',
  answers: {
    302: { description: 'To the issuer. An httpOnly cookie binds the sign-in to the browser for 10 minutes.' },
  },
  errors: ['oidc_not_configured', 'oidc_unavailable', 'too_many_attempts'],
});

export const oidcCallback = defineRoute({
  name: 'oidc_callback',
  method: 'get',
  path: '/api/auth/oidc/callback',
  tag,
  auth: 'none',
  audit: { action: 'session.create', target: 'session', read: true },
  summary: 'Where the OpenID issuer sends a person who has signed in there',
  query: {
    type: 'object',
    additionalProperties: true,
    properties: {
      ...authorizationAnswer,
      error: { ...authorizationAnswer.error, description: 'The issuer has not signed the person in.' },
    },
  } as const,
  answers: {
    302: {
      description:
        'To the public URL. Sets the cookies `sluice_refresh` and `sluice_csrf`; the page refreshes to get a session token. For an '
        + 'account with a second factor no cookie is set, and the address ends with `#mfa_token=`.',
    },
  },
  errors: [
    'oidc_not_configured', 'oidc_state_invalid', 'oidc_token_invalid', 'oidc_denied', 'email_not_verified', 'account_deactivated',
    'oidc_unavailable', 'too_many_attempts',
  ],
});
