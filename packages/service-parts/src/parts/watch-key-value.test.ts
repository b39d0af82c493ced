import { createMemoryKeyValue } from '@sluice/kv-memory';
import { type KeyValue, KeyValueUnavailable, type Logger, silentLogger } from '@sluice/ports';
import { createMetrics } from '@sluice/service-kit';
import { watchKeyValue } from './watch-key-value';

function lab(changes: Partial<KeyValue> = {}) {
  const state = { down: false };
  const lines: string[] = [];
  const logger: Logger = {
    ...silentLogger,
    warn: (message) => void lines.push(message),
    info: (message) => void lines.push(message),
  };
  const metrics = createMetrics({ service: 'test' });
  const kv = watchKeyValue({ ...createMemoryKeyValue({ unavailable: () => state.down }), ...changes }, { logger, metrics });
  const figures = async (): Promise<string[]> =>
    [...(await metrics.render()).matchAll(/^sluice_(key_value_\w+)\{service="test"\} (\d+)/gm)].map(
      ([, name, value]) => `${name} ${value}`,
    );
  return { state, lines, kv, figures };
}
const ttl = { ttlMs: 1_000 };
const away = 'the key-value store is away: limits are counted in this process alone, nothing is cached';
const back = 'the key-value store answers again';

test('the loss and the return are one line and one count each, however many operations fail', async () => {
  const { state, lines, kv, figures } = lab();
  expect(await figures()).toEqual(['key_value_lost_total 0', 'key_value_returned_total 0', 'key_value_up 1']);
  for (let outage = 0; outage < 2; outage += 1) {
    await kv.set('k', 'v', ttl);
    state.down = true;
    const failing = [
      () => kv.get('k'),
      () => kv.increment('n', 1, ttl),
      () => kv.slideWindow('w', { limit: 1, windowMs: 1 }),
      () => kv.takeTokens('t', { capacity: 1, refillPerSecond: 1, want: 1 }),
    ];
    for (const operation of failing) await expect(operation()).rejects.toBeInstanceOf(KeyValueUnavailable);
    expect((await figures()).at(-1)).toBe('key_value_up 0');
    state.down = false;
    expect(await kv.get('k')).toBe('v');
  }
  expect(lines).toEqual([away, back, away, back]);
  expect(await figures()).toEqual(['key_value_lost_total 2', 'key_value_returned_total 2', 'key_value_up 1']);
});

test('a success of an operation from before the loss does not count as a return', async () => {
  let answer = (_: string): void => undefined;
  const { state, lines, kv } = lab({ getMany: () => new Promise((resolve) => { answer = (value) => resolve([value]); }) });
  const early = kv.getMany(['k']);
  state.down = true;
  await expect(kv.get('k')).rejects.toBeInstanceOf(KeyValueUnavailable);
  answer('v');
  expect(await early).toEqual(['v']);
  expect(lines).toEqual([away]);
});

test('an error other than KeyValueUnavailable is not an outage', async () => {
  const { lines, kv } = lab({ get: async () => { throw new Error('a bug'); } });
  await expect(kv.get('k')).rejects.toThrow('a bug');
  expect(lines).toEqual([]);
});
