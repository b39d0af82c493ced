import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { Deps } from '../deps';
import { overviewView } from '../overview/overview-view';
import { readOverview } from '../overview/read-overview';

export function getOperatorOverview(deps: Deps): HttpRoute {
  return implementRoute(configRoutes.overview, {
    authenticate: deps.authenticateOperator,
    handler: async ({ logger }) => {
      const [overview, outbox] = await Promise.all([readOverview(deps, logger), deps.store.outbox.backlog()]);
      return { status: 200, body: overviewView(overview, outbox) };
    },
  });
}
