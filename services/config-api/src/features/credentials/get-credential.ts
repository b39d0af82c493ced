import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { CredentialDeps } from './deps';
import { credentialView } from './credential-view';

export function getCredential({ authenticate, store }: CredentialDeps): HttpRoute {
  return implementRoute(configRoutes.getCredential, {
    authenticate,
    handler: async ({ params, principal }) => {
      const credential = await store.credentials.get(principal.organization.id, params.credential_id);
      if (!credential) throw apiError('Credential not found');
      return { status: 200, body: credentialView(credential) };
    },
  });
}
