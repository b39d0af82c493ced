import { type FlowBreaker, monotonicClock, silentLogger, StoreUnavailable } from '@sluice/ports';
import { createMemoryBreakerStore, createRecordingLogger, until } from '@sluice/ports/testing';
import { type BreakerFeed, followBreakers } from './follow-breakers';

const settings = { waitsMs: [60_000], healthyResetMs: 60_000 };
const fatal = { connectorId: 'c', flowName: 'orders', kind: 'fatal' as const, detail: 'no', unit: 'u' };
const monotonicNow = monotonicClock(() => performance.now());
const feeds: BreakerFeed[] = [];
afterEach(() => Promise.all(feeds.splice(0).map((feed) => feed.stop())));

function follow(store: Parameters<typeof followBreakers>[0]['store'], logger = silentLogger): BreakerFeed {
  const feed = followBreakers({ store, logger, monotonicNow });
  feeds.push(feed);
  feed.start();
  return feed;
}

it('knows what is not closed at its start, and every change after it', async () => {
  const store = createMemoryBreakerStore();
  await store.note([fatal, fatal, fatal], settings);
  const feed = follow(store);
  const changes: FlowBreaker['state'][] = [];
  feed.onChange(({ state }) => changes.push(state));
  await until('it is open', () => feed.get('c', 'orders')?.state === 'open');
  expect(feed.of('c').map(({ flowName }) => flowName)).toEqual(['orders']);
  await store.closeAll('c');
  await until('it is closed', () => feed.get('c', 'orders') === undefined);
  await store.force('c', 'orders', 'open');
  await until('it is forced', () => feed.of('c').length === 1);
  expect(changes).toEqual(['open', 'closed', 'closed']);
  expect(feed.of('other')).toEqual([]);
  expect(Math.abs(feed.now() - Date.now())).toBeLessThan(1_000);
});

it('keeps the last known states while the database is away, and tells so once', async () => {
  const store = createMemoryBreakerStore();
  await store.note([fatal, fatal, fatal], settings);
  let away = false;
  const logger = createRecordingLogger();
  const feed = follow({
    changed: async (since) => {
      if (away) throw new StoreUnavailable('away');
      return store.changed(since);
    },
  }, logger);
  await until('it is open', () => feed.of('c').length === 1);
  away = true;
  await until('it was told', () => logger.lines.length === 1);
  expect(feed.of('c')).toHaveLength(1);
  await store.closeAll('c');
  away = false;
  await until('it is closed', () => feed.of('c').length === 0);
  expect(logger.lines.map(({ message }) => message)).toEqual([
    'flow breakers cannot be followed, the last known states stay', 'flow breakers are followed again',
  ]);
});

it('learns at once what its own process changed', async () => {
  const store = createMemoryBreakerStore();
  const feed = follow(store);
  feed.learn(await store.note([fatal, fatal, fatal], settings));
  expect(feed.get('c', 'orders')?.state).toBe('open');
});
