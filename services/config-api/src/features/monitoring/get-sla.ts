import { configRoutes } from '@sluice/contracts';
import { latencyBoundsMs } from '@sluice/ports';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { limitError } from '../../limits/limit-error';
import { upgradeUrl } from '../../plan/upgrade-url';
import type { MonitoringDeps } from './deps';
import { quantilesOf, sumOf } from './record-totals';
import { stepsOf } from './time-range';

export function getSla(deps: MonitoringDeps): HttpRoute {
  const { monitoring, slaTargetMs } = deps;
  return implementRoute(configRoutes.connectorSla, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query: { range = '30d' } }) => {
      const { id } = await findConnector(deps, principal, params.connector_id);
      const { organization } = principal;
      if (organization.tier !== 'enterprise') throw limitError('sla_monitoring_not_available', organization, upgradeUrl(deps));
      const steps = stepsOf(range, 'hourly');
      const total = async (name: 'ingest_requests' | 'ingest_unavailable'): Promise<number> =>
        (await monitoring.processSeries(id, name, steps, 'day')).reduce((sum, { value }) => sum + value, 0);
      const [records, events, requests, unavailable] = await Promise.all([
        monitoring.recordSeries(id, steps, 'day'), monitoring.eventSeries(id, steps, 'day'), total('ingest_requests'),
        total('ingest_unavailable'),
      ]);
      const { byStatus, latency } = sumOf(records);
      return {
        status: 200,
        body: {
          period: range,
          availability: requests === 0 ? null : 1 - unavailable / requests,
          accepted: events.reduce((sum, { value }) => sum + value, 0),
          delivered: (byStatus.completed ?? 0) + (byStatus.partial_success ?? 0),
          delivered_within_target: latency.filter((_, place) => (latencyBoundsMs[place] ?? Infinity) <= slaTargetMs)
            .reduce((sum, count) => sum + count, 0),
          target_seconds: slaTargetMs / 1_000,
          latency_ms: quantilesOf(latency),
        },
      };
    },
  });
}
