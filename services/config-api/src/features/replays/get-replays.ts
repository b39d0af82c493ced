import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { ReplayDeps } from './deps';
import { replayJobView } from './replay-job-view';

export function getReplays(deps: ReplayDeps): HttpRoute {
  return implementRoute(configRoutes.listReplayJobs, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query: { limit = 50, offset = 0 } }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const { items, total } = await deps.replayJobs.list(connector.id, { limit, offset });
      return { status: 200, body: { items: items.map(replayJobView), total } };
    },
  });
}
