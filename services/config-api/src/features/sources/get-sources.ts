import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { SourceDeps } from './deps';
import { placedSources } from './placed-sources';
import { sourceView } from './source-view';

export function getSources(deps: SourceDeps): HttpRoute {
  return implementRoute(configRoutes.listSources, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const sources = await placedSources(deps, connector);
      return { status: 200, body: { items: sources.map((source) => sourceView(deps, connector.id, source)) } };
    },
  });
}
