import type { HttpRoute } from '@sluice/service-kit';
import type { MonitoringDeps } from './deps';
import { getDataPlaneHealth } from './get-data-plane-health';
import { getErrorsSummary } from './get-errors-summary';
import { getEventTimeline } from './get-event-timeline';
import { getInboundBacklog } from './get-inbound-backlog';
import { getSla } from './get-sla';
import { getStats } from './get-stats';
import { getStatsTimeline } from './get-stats-timeline';
import { getStatsTimeseries } from './get-stats-timeseries';
import { getSyncJobs } from './get-sync-jobs';
import { createUnreadSince } from './log-backlog';

/** The routes of counts, backlogs and summaries. */
export const monitoringRoutes = (deps: MonitoringDeps): HttpRoute[] => {
  const unreadSince = createUnreadSince(deps.bus);
  return [
    getDataPlaneHealth(deps),
    getErrorsSummary(deps),
    getEventTimeline(deps),
    getInboundBacklog(deps, unreadSince),
    getSla(deps),
    getStats(deps, unreadSince),
    getStatsTimeline(deps),
    getStatsTimeseries(deps),
    getSyncJobs(deps),
  ];
};
