import { configRoutes } from '@sluice/contracts';
import type { RecordCounts, TimeRange } from '@sluice/ports';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { iso } from '../../http/iso';
import { sumOf } from '../monitoring/record-totals';
import type { RecordDeps } from './deps';

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
const usualRangeMs = 7 * dayMs;
/** For so long the store keeps hours apart; a little less, because it forgets them while they are asked for. */
const hoursKeptMs = 39 * dayMs;

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
        : await countsOfRange(deps, connector.id, { since, until });
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

/** A range with more rows than may be read is told by its hours, or by its days where its hours are no longer kept apart. */
async function countsOfRange(deps: RecordDeps, connectorId: string, { since, until }: TimeRange): Promise<RecordCounts> {
  const counted = await deps.records.count(connectorId, { since, until });
  if (!counted.capped) return counted;
  const stepMs = Date.now() - since.getTime() > hoursKeptMs ? dayMs : hourMs;
  const start = new Date(Math.floor(since.getTime() / stepMs) * stepMs);
  return { ...(await countsOf(deps, connectorId, { since: start, until })), capped: true };
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
