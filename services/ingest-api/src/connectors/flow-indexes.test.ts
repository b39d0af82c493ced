import type { FlowIndexEntry } from '@sluice/contracts';
import { monotonicClock, silentLogger, StoreUnavailable } from '@sluice/ports';
import { aConnector } from '@sluice/connector-feed/testing';
import { createFlowIndexes } from './flow-indexes';

const flow = (name: string): FlowIndexEntry => ({
  name,
  source: 'event_api',
  source_type: 'event_api',
  event_type: name,
  enabled: true,
});
const connector = (id: string, version: number | null = 1) => aConnector({ connector_id: id, active_version: version });

/** A reader whose versions hold `size` flows, each named like its version. */
function lab({ size = 1, maxFlows = 100 } = {}) {
  const reads: string[] = [];
  const faults = { now: 0, failure: undefined as Error | undefined, gate: undefined as Promise<void> | undefined };
  const indexes = createFlowIndexes({
    maxFlows, monotonicNow: monotonicClock(() => faults.now), logger: silentLogger,
    reader: {
      flowIndex: async (id, version) => {
        reads.push(`${id}/${version}`);
        await faults.gate;
        if (faults.failure) throw faults.failure;
        return Array.from({ length: size }, (_, index) => flow(index === 0 ? `v${version}` : `v${version}-${index}`));
      },
    },
  });
  const has = async (id: string, version: number | null = 1): Promise<string | null> => {
    const matcher = await indexes.of(connector(id, version));
    return matcher && matcher('event_api', `v${version}`).kind;
  };
  return { reads, faults, indexes, has };
}

test('a version is read once for all requests that need it at the same time', async () => {
  const { reads, indexes, has } = lab();
  expect(await Promise.all([has('a'), has('a'), has('a')])).toEqual(['flow', 'flow', 'flow']);
  expect(await has('a')).toBe('flow');
  expect(indexes.of(connector('a'))).not.toBeInstanceOf(Promise);
  expect(await has('b', null)).toBeNull();
  expect(reads).toEqual(['a/1']);
});

test('a new version is read ahead for a connector in use, and for no other connector', async () => {
  const { reads, indexes, has } = lab();
  await has('a');
  indexes.apply(connector('a', 2));
  indexes.apply(connector('cold', 7));
  await new Promise(setImmediate);
  expect([reads, indexes.of(connector('a', 2)) instanceof Promise]).toEqual([['a/1', 'a/2'], false]);
  expect(await has('a', 2)).toBe('flow');
  indexes.apply({ ...connector('a', 2), deleted: true, active_version: null });
  await has('a', 2);
  expect(reads).toEqual(['a/1', 'a/2', 'a/2']);
});

test('the cache is bounded by its number of flows: the least recently used entry is dropped', async () => {
  const { reads, has } = lab({ size: 9, maxFlows: 30 });
  for (const id of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) await has(id);
  expect(reads).toEqual(['a/1', 'b/1', 'c/1', 'd/1', 'b/1']);
});

test('while the database is away there is no hint, and no event waits for one', async () => {
  const { reads, faults, has } = lab();
  await has('known');
  faults.failure = new StoreUnavailable('away');
  expect([await has('a'), await has('b'), await has('known')]).toEqual([null, null, 'flow']);
  expect(reads).toEqual(['known/1', 'a/1']);
  faults.failure = undefined;
  faults.now = 5_001;
  expect(await has('a')).toBe('flow');
});

test('a slow database delays an event only briefly, and the next events not at all', async () => {
  jest.useFakeTimers();
  const { reads, faults, has } = lab();
  let open = (): void => undefined;
  faults.gate = new Promise((resolve) => (open = resolve));
  const waiting = has('a');
  await jest.advanceTimersByTimeAsync(1_000);
  expect([await waiting, await has('a'), await has('b')]).toEqual([null, null, null]);
  open();
  jest.useRealTimers();
  await new Promise(setImmediate);
  expect([await has('a'), reads]).toEqual(['flow', ['a/1']]);
});

test('a flood of cold connectors makes a bounded number of reads at once', async () => {
  const { reads, faults, has } = lab();
  let open = (): void => undefined;
  faults.gate = new Promise((resolve) => (open = resolve));
  const all = Array.from({ length: 50 }, (_, index) => has(`c${index}`));
  open();
  expect((await Promise.all(all)).filter((kind) => kind === 'flow')).toHaveLength(16);
  expect(reads).toHaveLength(16);
});
