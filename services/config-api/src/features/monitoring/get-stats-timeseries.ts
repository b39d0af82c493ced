import { configRoutes } from '@sluice/contracts';
import { type CountStep, quantileMs, type RecordStep } from '@sluice/ports';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { iso } from '../../http/iso';
import type { MonitoringDeps } from './deps';
import { totalsOf } from './record-totals';
import { type Steps, stepsOf } from './time-range';

type Value = { at: Date; value: number | null };
type Read = (deps: MonitoringDeps, connectorId: string, steps: Steps) => Promise<Value[]>;

const ofRecords = (valueOf: (step: RecordStep) => number | null): Read => async ({ monitoring }, connectorId, steps) =>
  (await monitoring.recordSeries(connectorId, steps, steps.step)).map((step) => ({ at: step.at, value: valueOf(step) }));

const reads = {
  events_received: ({ monitoring }, connectorId, steps): Promise<CountStep[]> =>
    monitoring.eventSeries(connectorId, steps, steps.step),
  records_ok: ofRecords(({ byStatus }) => totalsOf(byStatus).ok),
  records_failed: ofRecords(({ byStatus }) => totalsOf(byStatus).failed),
  records_skipped: ofRecords(({ byStatus }) => totalsOf(byStatus).skipped),
  crm_calls: ({ monitoring }, connectorId, steps): Promise<CountStep[]> =>
    monitoring.processSeries(connectorId, 'crm_calls', steps, steps.step),
  latency_p95: ofRecords(({ latency }) => quantileMs(latency, 0.95)),
} satisfies Record<string, Read>;

export function getStatsTimeseries(deps: MonitoringDeps): HttpRoute {
  return implementRoute(configRoutes.statsTimeseries, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query: { metric, range = '7d', granularity = 'daily' } }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const steps = stepsOf(range, granularity);
      const values = await reads[metric](deps, connector.id, steps);
      const byStart = new Map(values.map(({ at, value }) => [at.getTime(), value]));
      const nothing = metric === 'latency_p95' ? null : 0;
      const buckets = steps.starts.map((start) => ({ period: iso(start), value: byStart.get(start.getTime()) ?? nothing }));
      return { status: 200, body: { metric, buckets, range, granularity } };
    },
  });
}
