import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { iso } from '../../http/iso';
import type { RecordDeps } from './deps';

const usualRangeMs = 7 * 86_400_000;

export function getSyncEventsSummary(deps: RecordDeps): HttpRoute {
  return implementRoute(configRoutes.summarizeSyncEvents, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const until = query.until === undefined ? new Date() : new Date(query.until);
      const since = query.since === undefined ? new Date(Date.now() - usualRangeMs) : new Date(query.since);
      const { byStatus, skipsByFlow, scanned, capped } = await deps.records.count(connector.id, { since, until });
      return {
        status: 200,
        body: {
          by_status: byStatus,
          ...(query.include === 'skips_by_flow' && { skips_by_flow: skipsByFlow }),
          since: iso(since),
          until: iso(until),
          scanned,
          scan_capped: capped,
        },
      };
    },
  });
}
