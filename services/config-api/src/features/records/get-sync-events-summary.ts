import { configRoutes } from '@sluice/contracts';
import type { RecordCounts, TimeRange } from '@sluice/ports';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { iso } from '../../http/iso';
import { sumOf } from '../monitoring/record-totals';
import type { RecordDeps } from './deps';

const usualRangeMs = 7 * 86_400_000;
const minuteMs = 60_000;

export function getSyncEventsSummary(deps: RecordDeps): HttpRoute {
  return implementRoute(configRoutes.summarizeSyncEvents, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const until = query.until === undefined ? new Date() : new Date(query.until);
      const since = query.since === undefined ? new Date(Date.now() - usualRangeMs) : new Date(query.since);
      const isUsual = query.since === undefined && query.until === undefined;
      const { byStatus, skipsByFlow, scanned, capped } = isUsual
        ? await countsOf(deps, connector.id, { since, until: new Date(until.getTime() + minuteMs) })
        : await deps.records.count(connector.id, { since, until });
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

/** The last days are counted already. */
async function countsOf({ monitoring }: RecordDeps, connectorId: string, range: TimeRange): Promise<RecordCounts> {
  const [series, skipsByFlow] = await Promise.all([
    monitoring.recordSeries(connectorId, range, 'day'), monitoring.skipsByFlow(connectorId, range),
  ]);
  const { byStatus } = sumOf(series);
  const scanned = Object.values(byStatus).reduce((sum, count) => sum + count, 0);
  return { byStatus, skipsByFlow, scanned, capped: false };
}
