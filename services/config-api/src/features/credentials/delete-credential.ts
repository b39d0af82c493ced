import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { CredentialDeps } from './deps';

export function deleteCredential({ authenticate, store }: CredentialDeps): HttpRoute {
  return implementRoute(configRoutes.deleteCredential, {
    authenticate,
    handler: async ({ params, principal }) => {
      if (!(await store.credentials.delete(principal.organization.id, params.credential_id)))
        throw apiError('Credential not found');
      return { status: 204 };
    },
  });
}
