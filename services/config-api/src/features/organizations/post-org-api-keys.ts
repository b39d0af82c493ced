import { configRoutes, volumeLimits } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { newApiKey } from '../../auth/api-key';
import { userOf } from '../../auth/principal';
import type { OrganizationDeps } from './deps';
import { futureDate } from '../../http/future-date';
import { keyRefusal } from '../../auth/key-refusal';
import { upgradeUrl } from '../../plan/upgrade-url';
import { apiKeyView } from '../../http/api-key-view';

export function postOrgApiKeys(deps: OrganizationDeps): HttpRoute {
  return implementRoute(configRoutes.createOrgApiKey, {
    authenticate: deps.authenticate,
    handler: async ({ body, principal }) => {
      const { rawKey, hash } = newApiKey('organization');
      const expiresAt = futureDate(body.expires_at, 'expires_at');
      await deps.creationLimit(principal.organization);
      const key = await deps.store.organizations.createKey(principal.organization.id, {
        label: body.label.trim(), hash, expiresAt, createdById: userOf(principal),
        keysLimit: volumeLimits(principal.organization).api_keys_limit,
      }).catch(keyRefusal(principal.organization, upgradeUrl(deps)));
      return { status: 201, body: { ...apiKeyView(key), raw_key: rawKey } };
    },
  });
}
