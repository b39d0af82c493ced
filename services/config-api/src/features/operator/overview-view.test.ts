import type { Overview } from './read-overview';
import { overviewView } from './overview-view';

beforeEach(() => jest.useFakeTimers({ now: 1_000_000 }));
afterEach(() => jest.useRealTimers());

const overview: Overview = {
  serviceInstances: [
    { name: 'config-api', version: '1', uptime_seconds: 5 },
    { name: 'flow-runner', version: '1', uptime_seconds: 7 },
    { name: 'flow-runner', version: '2', uptime_seconds: 9 },
  ],
  lag: [
    { topic: 'events.inbound', group: 'flow-runner', partition: 0, lag: 4 },
    { topic: 'events.inbound', group: 'event-index', partition: 0, lag: 1 },
  ],
  waits: [
    { topic: 'events.inbound', group: 'flow-runner', since: 940_000 },
    { topic: 'events.outbound', group: 'flow-runner', since: null },
    { topic: 'events.inbound', group: 'event-index', since: 998_000 },
  ],
  background: null, breakers: null,
  held: { retry: 3 },
};

test('shows the backlog per service, also for one that does not run', () => {
  const items = [{ id: 3n, topic: 't', key: 'k', bytes: 9, reason: 'too large', at: new Date(0) }];
  const view = overviewView(overview, { waiting: 1, oldestMs: 20, setAside: 2, items });
  expect(view.services).toEqual([
    {
      name: 'config-api',
      version: '1',
      uptime_seconds: 5,
      instances: [{ version: '1', uptime_seconds: 5 }],
      lag: [],
      held: {},
      oldest_unprocessed_seconds: null,
      breakers: {},
    },
    {
      name: 'flow-runner',
      version: '1',
      uptime_seconds: 9,
      instances: [
        { version: '1', uptime_seconds: 7 },
        { version: '2', uptime_seconds: 9 },
      ],
      lag: [overview.lag![0]],
      held: { retry: 3 },
      oldest_unprocessed_seconds: 60,
      breakers: {},
    },
    {
      name: 'ingest-api',
      version: null,
      uptime_seconds: null,
      instances: [],
      lag: [overview.lag![1]],
      held: {},
      oldest_unprocessed_seconds: 2,
      breakers: {},
    },
  ]);
  expect(view).toMatchObject({ oldest_unprocessed_seconds: 60, held: { retry: 3 } });
  expect(view.outbox).toEqual({
    waiting: 1, oldest_ms: 20, set_aside: 2,
    set_aside_items: [{ topic: 't', key: 'k', bytes: 9, reason: 'too large', set_aside_at: '1970-01-01T00:00:00.000Z' }],
  });
  expect(view.oldest_unprocessed).toContainEqual({ service: 'flow-runner', topic: 'events.outbound', age_seconds: null });
});

test('values that could not be read are null everywhere', () => {
  const unread = { ...overview, lag: null, waits: null, held: null };
  const view = overviewView(unread, { waiting: 0, oldestMs: 0, setAside: 0, items: [] });
  expect(view).toMatchObject({ lag: null, held: null, oldest_unprocessed: null, oldest_unprocessed_seconds: null });
  expect(view.services[1]).toMatchObject({ name: 'flow-runner', lag: null, held: null, oldest_unprocessed_seconds: null });
});
