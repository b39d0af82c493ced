import type { Metrics } from '@sluice/service-kit';
import type { ReadSourceDeps } from './read-source';

/** Counts readings of sources and the events that they brought. */
export function createReadingObserver(metrics: Metrics): ReadSourceDeps['observer'] {
  const readings = metrics.counter({
    name: 'source_readings_total', help: 'Readings of pollers and schedules, by outcome.', labels: ['outcome'],
  });
  const events = metrics.counter({ name: 'source_events_total', help: 'Events that readings of sources have put into the log.' });
  return {
    read: (outcome, count) => {
      readings.inc({ outcome });
      if (count > 0) events.inc({}, count);
    },
  };
}
