import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { iso } from '../../http/iso';
import type { MonitoringDeps } from './deps';
import { totalsOf } from './record-totals';
import { stepsOf } from './time-range';

export function getStatsTimeline(deps: MonitoringDeps): HttpRoute {
  return implementRoute(configRoutes.statsTimeline, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query: { range = '7d', granularity = 'daily' } }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const steps = stepsOf(range, granularity);
      const counted = await deps.monitoring.recordSeries(connector.id, steps, steps.step);
      const byStart = new Map(counted.map(({ at, byStatus }) => [at.getTime(), byStatus]));
      const buckets = steps.starts.map((start) => {
        const { ok, failed, skipped } = totalsOf(byStart.get(start.getTime()) ?? {});
        return { period: iso(start), records_ok: ok, records_failed: failed, records_skipped: skipped, job_count: 0 };
      });
      return { status: 200, body: { buckets, range, granularity } };
    },
  });
}
