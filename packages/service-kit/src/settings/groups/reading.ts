import { defineSettings } from '../define-settings';

/** What becomes of a topic whose reading fails. */
export const readingSettings = defineSettings({
  readingWaitsMs: {
    env: 'SLUICE_READING_WAITS', type: 'seconds_list', default: '1,2,5,10,30',
    description:
      'Waits between the tries when a topic cannot be read or what was read cannot be taken in; the last one repeats. '
      + 'An outage of Postgres or Kafka does not count as such a failure.',
  },
  readingDeadAfterMs: {
    env: 'SLUICE_READING_DEAD_AFTER', type: 'seconds', min: 0, default: '300',
    description:
      'Reading of a topic that has failed for this long ends liveness (`/livez` answers 503), so that the process is started '
      + 'anew. 0: never.',
  },
});
