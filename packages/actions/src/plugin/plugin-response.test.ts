import fc from 'fast-check';
import { readPluginResponse } from './plugin-response';

const read = (value: unknown, mayStore = true) => readPluginResponse(value, mayStore);
const problemOf = (value: unknown): string => {
  const answer = read(value);
  return answer.ok ? '' : answer.problem;
};

it('is an empty object where a handler returns nothing', () => {
  expect(read(null)).toEqual({
    ok: true,
    response: { action: 'continue', requeue: false, isRefused: false, reason: null, writes: [], output: {} },
  });
});

it('has every key of the response in its output, reserved ones included', () => {
  const value = { action: 'continue', reason: 'r', score: { a: [1] }, store_writes: [] };
  expect(read(value)).toMatchObject({ response: { output: value } });
});

it.each(['text', 7, true, [], [{}]])('refuses what is no object: %j', (value) => {
  expect(problemOf(value)).toBe('a plugin returns an object or null');
});

it.each<[string, unknown]>([
  ['action', 'stop'], ['action', null], ['action', 1], ['requeue', 'yes'], ['requeue', null], ['outcome', 'ok'],
  ['outcome', true],
  ['reason', 5], ['reason', {}], ['store_writes', {}], ['store_writes', 'k'], ['store_writes', [1]], ['store_writes', [{}]],
  ['store_writes', [{ key: '' }]], ['store_writes', [{ key: 1, value: 1 }]],
  ['store_writes', [{ key: 'k', value: 1, ttl_seconds: 0 }]],
  ['store_writes', [{ key: 'k', value: 1, ttl_seconds: '5' }]], ['store_writes', [{ key: 'k', value: 1, ttl_seconds: 1e300 }]],
])('names the reserved key %s whose value is wrong: %j', (key, value) => {
  expect(problemOf({ [key]: value, score: 1 })).toContain(key);
});

it('takes writes with and without an end; a value that is absent is null', () => {
  const store_writes = [{ key: 'a', value: { n: 1 }, ttl_seconds: 60 }, { key: 'b' }];
  expect(read({ store_writes })).toMatchObject({
    response: { writes: [{ key: 'a', value: { n: 1 }, ttlSeconds: 60 }, { key: 'b', value: null, ttlSeconds: null }] },
  });
});

it('ignores writes without the grant, whatever they are', () => {
  expect(read({ store_writes: 7 }, false)).toMatchObject({ ok: true, response: { writes: [] } });
});

it('reads any value without throwing, and keeps every object whole', () => {
  fc.assert(fc.property(fc.jsonValue(), fc.boolean(), (value, mayStore) => {
    const answer = readPluginResponse(value, mayStore);
    if (answer.ok) expect(answer.response.output).toEqual(value ?? {});
    else expect(answer.problem.length).toBeGreaterThan(0);
  }));
});
