import { compatKeyHash } from '@sluice/connector-feed';
import { configRoutes, volumeLimits } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';

import { keyRefusal } from '../../auth/key-refusal';
import { userOf } from '../../auth/principal';
import { findConnector } from '../../http/find-connector';
import { upgradeUrl } from '../../plan/upgrade-url';
import { compatKeyView } from './compat-key-view';
import type { CompatKeyDeps } from './deps';

export function postCompatKeys(deps: CompatKeyDeps): HttpRoute {
  return implementRoute(configRoutes.createCompatKey, {
    authenticate: deps.authenticate,
    handler: async ({ body, params, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      await deps.creationLimit(principal.organization);
      const key = await deps.store.compatKeys.create(connector.id, {
        label: body.label.trim(), hash: compatKeyHash(connector.id, body.secret), createdById: userOf(principal),
        keysLimit: volumeLimits(principal.organization).api_keys_limit,
      }).catch(keyRefusal(principal.organization, upgradeUrl(deps)));
      if (key === null) throw apiError('connector_not_found');
      if (key === 'duplicate') throw apiError('duplicate_compat_key');
      return { status: 201, body: compatKeyView(key) };
    },
  });
}
