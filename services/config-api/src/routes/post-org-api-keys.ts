import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { newApiKey } from '../auth/api-key';
import { userOf } from '../auth/principal';
import type { Deps } from '../deps';
import { futureDate } from '../http/future-date';
import { apiKeyView } from '../views/api-key-view';

export function postOrgApiKeys({ authenticate, store }: Deps): HttpRoute {
  return implementRoute(configRoutes.createOrgApiKey, {
    authenticate,
    handler: async ({ body, principal }) => {
      const { rawKey, hash } = newApiKey('organization');
      const expiresAt = futureDate(body.expires_at, 'expires_at');
      const key = await store.organizations.createKey(principal.organization.id, { label: body.label.trim(), hash, expiresAt, createdById: userOf(principal) });
      return { status: 201, body: { ...apiKeyView(key), raw_key: rawKey } };
    },
  });
}
