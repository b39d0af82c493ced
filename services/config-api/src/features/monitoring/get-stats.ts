import { configRoutes } from '@sluice/contracts';
import type { TimeRange } from '@sluice/ports';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { iso } from '../../http/iso';
import type { MonitoringDeps } from './deps';
import type { UnreadSince } from './log-backlog';
import { quantilesOf, sumOf } from './record-totals';
import { rangeOf } from './time-range';

const minuteMs = 60_000;

/** Counts are by the minute: a range takes the minutes in that it begins and ends. */
const wholeMinutes = ({ since, until }: TimeRange): TimeRange => ({
  since: new Date(Math.floor(since.getTime() / minuteMs) * minuteMs),
  until: new Date(Math.ceil(until.getTime() / minuteMs) * minuteMs),
});

export function getStats(deps: MonitoringDeps, unreadSince: UnreadSince): HttpRoute {
  const { monitoring, runStore } = deps;
  return implementRoute(configRoutes.connectorStats, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query }) => {
      const { id } = await findConnector(deps, principal, params.connector_id);
      const asked = rangeOf(query);
      const range = wholeMinutes(asked);
      const [records, events, calls, held, waiting] = await Promise.all([
        monitoring.recordSeries(id, range, 'day'), monitoring.eventSeries(id, range, 'day'),
        monitoring.processSeries(id, 'crm_calls', range, 'day'), runStore.heldCounts(id),
        unreadSince().then((since) => monitoring.waiting(id, 'inbound', since)),
      ]);
      const { byStatus, latency } = sumOf(records);
      return {
        status: 200,
        body: {
          since: iso(asked.since), until: iso(asked.until),
          events_received: total(events), records: byStatus, in_flight: waiting.inLog, held,
          latency_ms: quantilesOf(latency), crm_calls: total(calls),
        },
      };
    },
  });
}

const total = (steps: readonly { value: number }[]): number => steps.reduce((sum, { value }) => sum + value, 0);
