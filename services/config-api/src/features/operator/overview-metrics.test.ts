import { createMetrics } from '@sluice/service-kit';
import { addOverviewMetrics } from './overview-metrics';
import type { Overview } from './read-overview';

beforeEach(() => jest.useFakeTimers({ now: 1_000_000 }));
afterEach(() => jest.useRealTimers());

test('gauges show the backlog, with one reading for scrapes in quick succession; ended series disappear', async () => {
  let readings = 0;
  let overview: Overview = {
    serviceInstances: [], background: null, breakers: null, held: { retry: 2, paused: 1 }, lag: [{ topic: 't', group: 'flow-runner',
      partition: 3, lag: 7 }],
    waits: [{ topic: 't', group: 'flow-runner', since: 970_000 }, { topic: 't', group: 'event-index', since: null }],
  };
  const metrics = createMetrics({ service: 'config-api' });
  addOverviewMetrics(metrics, async () => {
    readings += 1;
    return overview;
  });
  const lines = async (): Promise<string[]> =>
    (await metrics.render()).split('\n').filter((line) => /^sluice_(consumer|held|oldest)/.test(line));
  const expected = [
    'sluice_consumer_lag{topic="t",group="flow-runner",partition="3",service="config-api"} 7',
    'sluice_held_events{reason="retry",service="config-api"} 2',
    'sluice_held_events{reason="paused",service="config-api"} 1',
    'sluice_oldest_unprocessed_seconds{topic="t",group="flow-runner",service="config-api"} 30',
    'sluice_oldest_unprocessed_seconds{topic="t",group="event-index",service="config-api"} 0',
  ];
  expect(await lines()).toEqual(expected);
  expect(await lines()).toEqual(expected);
  expect(readings).toBe(1);
  overview = { serviceInstances: [], background: null, breakers: null, held: { paused: 1 }, lag: null, waits: null };
  jest.advanceTimersByTime(6_000);
  expect(await lines()).toEqual(['sluice_held_events{reason="paused",service="config-api"} 1']);
});
