import { configRoutes, metricRanges } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { PluginDeps } from './deps';
import { findPlugin } from './find-plugin';
import { percentile } from './percentile';

const hourMs = 3_600_000;

export function getPluginMetrics(deps: PluginDeps): HttpRoute {
  return implementRoute(configRoutes.getPluginMetrics, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, query }) => {
      const { id } = await findPlugin(deps, principal, params.plugin_id);
      const hours = metricRanges[(query.range ?? '24h') as keyof typeof metricRanges];
      const { durations, memoryMb, ...counts } = await deps.pluginRuns.metrics(id, new Date(Date.now() - hours * hourMs));
      const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(durations, share));
      return { status: 200, body: { ...counts, duration_ms: { p50, p95, p99 }, memory_mb: { max: memoryMb } } };
    },
  });
}
