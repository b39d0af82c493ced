import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { MonitoringDeps } from './deps';

/** Sluice never had such jobs: imports, replays and verifications have routes of their own. */
export function getSyncJobs(deps: MonitoringDeps): HttpRoute {
  return implementRoute(configRoutes.listSyncJobs, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      await findConnector(deps, principal, params.connector_id);
      return { status: 200, body: { items: [], total: 0 } };
    },
  });
}
