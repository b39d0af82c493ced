import { silentLogger, StoreUnavailable, wallClock } from '@sluice/ports';
import { createKeyUse } from './key-use';

beforeEach(() => jest.useFakeTimers({ now: 0 }));
afterEach(() => jest.useRealTimers());

function start() {
  const told: [string, number][][] = [];
  const store = { away: false };
  const keyUse = createKeyUse({
    logger: silentLogger, now: wallClock(),
    store: {
      noteKeyUse: async (uses) => {
        if (store.away) throw new StoreUnavailable('away');
        told.push(uses.map(({ hash, at }) => [hash, at.getTime()]));
      },
    },
  });
  keyUse.start();
  return { keyUse, told, store };
}

test('a first use is stored within seconds, steady use once a minute, in one call for all keys', async () => {
  const { keyUse, told } = start();
  await jest.advanceTimersByTimeAsync(1);
  for (let second = 0; second < 130; second += 1) {
    keyUse.used('a');
    if (second === 3) keyUse.used('b');
    await jest.advanceTimersByTimeAsync(1_000);
  }
  expect(told.map((uses) => uses.map(([hash]) => hash))).toEqual([['a', 'b'], ['a'], ['a']]);
  expect(told[0]).toEqual([['a', 9_001], ['b', 3_001]]);
  expect(told[1]![0]![1]).toBeGreaterThanOrEqual(69_001);
});

test('what could not be stored is stored later, and the rest at the stop', async () => {
  const { keyUse, told, store } = start();
  store.away = true;
  keyUse.used('a');
  await jest.advanceTimersByTimeAsync(25_000);
  store.away = false;
  await jest.advanceTimersByTimeAsync(10_000);
  expect(told).toEqual([[['a', 0]]]);
  keyUse.used('a');
  await keyUse.stop();
  expect(told[1]).toEqual([['a', 35_000]]);
});
