import { aContext } from '../testing/a-context';
import { compileWhen, whenVariants } from './when';

const ctx = aContext(
  {
    n: 5,
    s: '7.5',
    at: '2026-03-01T10:00:00+01:00',
    word: 'ten',
    nothing: null,
    list: [null, 1],
    flag: false,
    obj: { a: 1, b: 2 },
  },
  { outputs: { hit: { found: true }, miss: { found: false }, skipped: null } },
);

describe('compileWhen', () => {
  it.each<[unknown, boolean]>([
    [{ exists: '$.payload.n' }, true],
    [{ exists: '$.payload.flag' }, true],
    [{ exists: '$.payload.nothing' }, false],
    [{ exists: '$.payload.missing' }, false],
    [{ exists: '$.payload.list[*]' }, true],
    [{ found: 'hit' }, true],
    [{ found: 'miss' }, false],
    [{ found: 'skipped' }, false],
    [{ found: 'never' }, false],
    [{ equals: { path: '$.payload.n', value: 5 } }, true],
    [{ equals: { path: '$.payload.n', value: '5' } }, false],
    [{ equals: { path: '$.payload.obj', value: { b: 2, a: 1 } } }, true],
    [{ equals: { path: '$.payload.missing', value: null } }, true],
    [{ gt: { path: '$.payload.n', value: 4 } }, true],
    [{ gt: { path: '$.payload.n', value: 5 } }, false],
    [{ gt: { path: '$.payload.s', value: '7.4' } }, true],
    [{ gt: { path: '$.payload.s', value: '10' } }, false],
    [{ lt: { path: '$.payload.s', value: 8 } }, true],
    [{ gt: { path: '$.payload.at', value: '2026-03-01T08:59:59Z' } }, true],
    [{ lt: { path: '$.payload.at', value: '2026-03-01T09:00:00Z' } }, false],
    [{ lt: { path: '$.payload.at', value: '2026-03-02' } }, true],
    [{ gt: { path: '$.payload.at', value: 5 } }, false],
    [{ lt: { path: '$.payload.word', value: 5 } }, false],
    [{ gt: { path: '$.payload.word', value: 'a' } }, false],
    [{ lt: { path: '$.payload.missing', value: 5 } }, false],
    [{ gt: { path: '$.payload.flag', value: -1 } }, false],
    [{ in: { path: '$.payload.n', values: [1, 5] } }, true],
    [{ in: { path: '$.payload.n', values: ['5'] } }, false],
    [{ in: { path: '$.payload.n', values: [] } }, false],
    [{ not: { exists: '$.payload.n' } }, false],
    [{ all: [] }, true],
    [{ all: [{ exists: '$.payload.n' }, { not: { found: 'miss' } }] }, true],
    [{ all: [{ exists: '$.payload.n' }, { found: 'miss' }] }, false],
  ])('%j is %s', (when, expected) => {
    expect(compileWhen(when)(ctx)).toBe(expected);
  });

  it.each<unknown>([
    null,
    'x',
    [],
    {},
    { exists: '$.payload.a', found: 'b' },
    { or: [] },
    { exists: 5 },
    { exists: 'payload.a' },
    { equals: { path: '$.payload.a' } },
    { equals: { value: 1 } },
    { equals: { path: '$.payload.a', value: 1, values: [2] } },
    { gt: 5 },
    { in: { path: '$.payload.a', values: 5 } },
    { all: {} },
    { not: [] },
    { all: [{ nope: 1 }] },
    { toString: 1 },
  ])('refuses %j', (when) => {
    expect(() => compileWhen(when)).toThrow(expect.objectContaining({ name: 'ExpressionError' }) as Error);
  });

  it('describes every variant', () => {
    expect(whenVariants.map((variant) => variant.key)).toEqual(['exists', 'found', 'equals', 'gt', 'lt', 'in', 'not', 'all']);
    expect(whenVariants.every((variant) => variant.description.length > 10)).toBe(true);
  });
});
