import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { CredentialDeps } from './deps';
import { credentialView } from './credential-view';

export function getCredentials({ authenticate, store }: CredentialDeps): HttpRoute {
  return implementRoute(configRoutes.listCredentials, {
    authenticate,
    handler: async ({ query, principal }) => {
      const { items, total } = await store.credentials.list(principal.organization.id, query);
      return { status: 200, body: { items: items.map(credentialView), total } };
    },
  });
}
