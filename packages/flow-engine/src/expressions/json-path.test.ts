import fc from 'fast-check';
import jsonpath from 'jsonpath';
import { compilePath, parsePath } from './json-path';
import { defaultExpressionLimits, WorkBudget } from '../work-budget';

/** All matches under the default bounds, or under others. */
const matches = (text: string, root: unknown, budget = new WorkBudget()): unknown[] =>
  compilePath(parsePath(text)).all(root, budget);

const keys = ['a', 'b', 'c'];
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.integer(),
    fc.constant(null),
    fc.constant('x'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...keys), tie('value'), { noNullPrototype: true }),
  ),
})).value;
const step = fc.oneof(
  fc.constantFrom(...keys).map((key) => `.${key}`),
  fc.constantFrom(...keys).map((key) => `["${key}"]`),
  fc.nat(3).map((index) => `[${index}]`),
  fc.constantFrom('.*', '[*]', '[0:2]', '[1:]', '[0,1]', '["a","b"]'),
);
const path = fc
  .tuple(
    fc.array(step, { maxLength: 4 }),
    fc.option(fc.constantFrom('..a', '..*'), { nil: '' }),
    fc.array(step, { maxLength: 2 }),
  )
  .map(([head, deep, tail]) => `$${head.join('')}${deep}${tail.join('')}`);

describe('compilePath', () => {
  it('finds what the library finds, in a set without order between branches', () => {
    fc.assert(
      fc.property(json, path, (root, text) => {
        if (root === null || typeof root !== 'object') return;
        const ours = matches(text, root).map((one) => JSON.stringify(one));
        const library = (jsonpath.query(root, text) as unknown[]).map((one) => JSON.stringify(one));
        expect([...ours].sort()).toEqual([...library].sort());
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['$.a.b', { a: { b: 1 } }, [1]],
    ['$.a.b', { a: null }, []],
    ['$.a', { a: null }, [null]],
    ['$.length', [1, 2], []],
    ['$.toString', {}, []],
    ['$.__proto__', {}, []],
    ['$[-1]', [1, 2], [2]],
    ['$[-2:]', [1, 2, 3], [2, 3]],
    ['$[0:5:2]', [1, 2, 3, 4], [1, 3]],
    ['$..id', { id: 1, in: [{ id: 2 }] }, [1, 2]],
  ])('%s on %j gives %j', (text, root, expected) => {
    expect(matches(text, root)).toEqual(expected);
  });

  it.each(['$.a[?(@.b>1)]', '$.a[(@.length-1)]', '$..[?(@.b)]'])('refuses the script in %s', (text) => {
    expect(() => parsePath(text)).toThrow(expect.objectContaining({ code: 'script' }) as Error);
  });

  it.each(['$.a-b', '$.', '$a', '', '$..a..b', '$.a[', '$[::0]', '$.a[0,0]', '$["a","b","a"]', `$.${'a'.repeat(1_000)}`])(
    'refuses %j',
    (text) => {
      expect(() => compilePath(parsePath(text))).toThrow(expect.objectContaining({ code: 'reference' }) as Error);
    },
  );

  it('walks payloads that are nested deeper than a call stack, and lists longer than an argument list', () => {
    const deep: { in?: unknown; id: number } = { id: 0 };
    let at = deep;
    for (let level = 1; level <= 50_000; level++) at = (at.in = { id: level }) as typeof at;
    expect(matches('$..id', deep)).toHaveLength(50_001);
    const generous = new WorkBudget({ ...defaultExpressionLimits, matches: 500_000 });
    expect(matches('$[*]', Array.from({ length: 500_000 }, () => 1), generous)).toHaveLength(500_000);
  });
});
