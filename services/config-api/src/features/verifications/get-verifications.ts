import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { VerificationDeps } from './deps';
import { verificationView } from './verification-view';

export function getVerifications(deps: VerificationDeps): HttpRoute {
  return implementRoute(configRoutes.listVerifications, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query: { limit = 50, offset = 0 } }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const { items, total } = await deps.verifications.list(connector.id, { limit, offset });
      return { status: 200, body: { items: items.map(verificationView), total } };
    },
  });
}
