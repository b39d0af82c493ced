import type { Metrics } from '@sluice/service-kit';
import { keptFor } from '../../limits/kept-for';
import type { Overview } from './read-overview';

/** Several gauges of one scrape, and scrapes in quick succession, share a reading. */
const freshMs = 5_000;

/**
 * The backlog as gauges of /metrics: lag per topic, group and partition, held events by reason, and the age of the oldest event.
 * Every config-api has the same values. A value that cannot be read is absent, not zero.
 */
export function addOverviewMetrics(metrics: Metrics, read: () => Promise<Overview>): void {
  const recent = keptFor(freshMs, read);
  metrics.gauge(
    {
      name: 'consumer_lag',
      help: 'Messages of a partition that a group has not committed.',
      labels: ['topic', 'group', 'partition'],
    },
    async (gauge) => {
      const { lag } = await recent();
      gauge.reset();
      for (const { topic, group, partition, lag: behind } of lag ?? []) gauge.set(behind, { topic, group, partition });
    },
  );
  metrics.gauge(
    { name: 'held_events', help: 'Events that wait in the held store, by reason.', labels: ['reason'] },
    async (gauge) => {
      const { held } = await recent();
      gauge.reset();
      for (const [reason, count] of Object.entries(held ?? {})) gauge.set(count, { reason });
    },
  );
  metrics.gauge(
    {
      name: 'oldest_unprocessed_seconds',
      help: 'How long the oldest unprocessed event waits, unread or held; 0: none does.',
      labels: ['topic', 'group'],
    },
    async (gauge) => {
      const { waits } = await recent();
      gauge.reset();
      for (const { topic, group, since } of waits ?? [])
        gauge.set(since === null ? 0 : Math.max(0, (Date.now() - since) / 1_000), { topic, group });
    },
  );
}
