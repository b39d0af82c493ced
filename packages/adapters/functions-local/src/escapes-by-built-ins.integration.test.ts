import type { FunctionAnswer } from '@sluice/ports';
import { handler, type Lab, openLab } from './test-support/lab';

type Contained = { value: unknown } | { message: RegExp } | { limit: RegExp };

const limit = (names: RegExp): Contained => ({ limit: names });
const exhausted: Contained = limit(/^(time|memory|stack)$/);

/** Wraps built-ins, keeps what passes through them, and then uses all that the sandbox offers. */
const eavesdropping = `
  const { apply, getPrototypeOf } = Reflect;
  const caught = [];
  const keep = (values) => { for (let i = 0; i < values.length; i += 1) caught[caught.length] = values[i]; };
  const targets = [[Function.prototype, 'call'], [Function.prototype, 'apply'], [Function.prototype, 'bind'],
    [Array.prototype, 'map'],
    [Array.prototype, 'join'], [Array.prototype, 'push'], [Array.prototype, 'filter'], [Array.prototype, Symbol.iterator],
    [Array, 'from'], [String.prototype, 'slice'], [JSON, 'stringify'], [JSON, 'parse'], [Map.prototype, 'get'],
    [Map.prototype, 'set'], [Promise.prototype, 'then'], [Promise, 'resolve'], [Object, 'entries'], [Object, 'defineProperty']];
  for (const [owner, name] of targets) {
    const own = owner[name];
    owner[name] = function () { keep([this]); keep(arguments); return apply(own, this, arguments); };
  }
  for (const name of ['finish', 'log', 'fetch', 'then', 'id', 'url', 'get', 'set', 'value'])
    Object.prototype.__defineSetter__(name, function (value) { keep([this, value]); });
  console.log({ a: [1] }, new Error('x'));
  new URL('http://a.example/?x=1').searchParams.append('y', 2);
  setTimeout(() => undefined, 1);
  crypto.randomUUID(); btoa('x'); atob('eA=='); new TextEncoder().encode('x'); Math.random();
  await fetch('http://a.example/', { headers: { a: 'b' } }).catch(() => undefined);`;

/** Further attempts within one call: the body of the handler, and how it ends. */
const attempts: [name: string, body: string, contained: Contained][] = [
  ['changed built-ins that look for the calls of the sandbox',
    `${eavesdropping} return caught.some((one) => one !== null && typeof one === 'object' && typeof one.finish === 'function');`,
    { value: false }],
  ['an error of the sandbox that leads to its globals',
    `try { setTimeout('x'); } catch (error) { return error.constructor.constructor('return globalThis')(); }`,
    { message: /not available/ }],
  ['an error of the host that leads to its globals',
    `try { atob('?'); } catch (error) { return error.constructor.constructor === globalThis.Function; }`, { value: true }],
  ['a species that is code',
    'class A extends Array { static get [Symbol.species]() { return Function; } } return new A(1).map(String);',
    { message: /not available/ }],
  ['a generator that never ends', 'for (const one of (function* () { for (;;) yield 1; })()) void one;', limit(/^time$/)],
  ['an await that never ends', 'for (;;) await null;', limit(/^time$/)],
  ['a comparison that never ends', 'return [3, 2, 1].sort(() => { for (;;); });', limit(/^time$/)],
  ['a list of all numbers', 'return Array.from({ length: 2 ** 31 });', exhausted],
  ['a look ahead that explodes', 'return /^(?=(a+)+b)/.test("a".repeat(40) + "c");', limit(/^time$/)],
  ['alternatives that explode', 'return /^(a|a|aa)+$/.test("a".repeat(60) + "!");', limit(/^time$/)],
  ['a big integer that is shifted far', 'return String(1n << 100_000_000_000n);', { message: /BigInt/ }],
  ['a text that is padded far', 'return "x".padEnd(2 ** 30 - 8).length;', limit(/^memory$/)],
  ['a join of holes', 'return new Array(2 ** 32 - 1).join("x").length;', exhausted],
  ['an error with a huge message', 'throw new Error("x".repeat(9_000_000));', { message: /./ }],
  ['more timers than are allowed', 'for (;;) setTimeout(() => undefined, 5_000);', { message: /too many timers/ }],
  ['keys of prototypes in the depth of an answer', `return JSON.parse('{"a": [{"__proto__": {"admin": true}, "b": 1}]}');`,
    { value: { a: [{ b: 1 }] } }],
  ['an answer with a circle', 'const a = {}; a.a = a; return a;', { message: /no JSON/ }],
  ['an answer of a big integer', 'return 1n;', { message: /no JSON/ }],
  ['a buffer of a request that is changed while it is sent',
    `const body = new Uint8Array(8); const sent = fetch('http://a.example/', { method: 'POST', body });
     body.fill(255); return sent.catch((error) => error.message);`, { value: expect.stringContaining('not covered') }],
];

describe('what a plugin tries by the built-ins of its engine', () => {
  /** What is contained by its time limit runs in the first one; all else may take its time on a busy machine. */
  let hasty: Lab;
  let patient: Lab;
  beforeAll(() => {
    const lab = (wallMs: number): Lab => openLab({ maxPerOrganization: 1, maxChildren: 2, bounds: { wallMs } });
    [hasty, patient] = [lab(1_200), lab(30_000)];
  });
  afterAll(() => Promise.all([hasty.close(), patient.close()]));

  const assertContained = (answer: FunctionAnswer, contained: Contained): void => {
    if ('value' in contained) expect(answer).toEqual(expect.objectContaining({ kind: 'returned', value: contained.value }));
    else if ('message' in contained) expect(answer).toMatchObject({ kind: 'threw',
      message: expect.stringMatching(contained.message) });
    else expect(answer).toMatchObject({ kind: 'limit', limit: expect.stringMatching(contained.limit) });
  };

  it.each(attempts)('%s', async (_, body, contained) => {
    const lab = 'limit' in contained && contained.limit.test('time') ? hasty : patient;
    const answer = await lab.invoke(await lab.deploy(handler(body), 'attacker'));
    assertContained(answer, contained);
    expect(JSON.stringify(answer).length).toBeLessThan(100_000);
    // The next function of the organization, and another organization, are served.
    for (const organization of ['attacker', 'neighbour'])
      expect(await lab.invoke(await lab.deploy(handler('return [1, 2].map(String);'), organization))).toMatchObject({
        value: ['1', '2'] });
  });

  it('a finalizer that would run in the next call finds nothing of its own', async () => {
    const name = await patient.deploy(handler(`const { late } = globalThis;
      new FinalizationRegistry(() => { globalThis.late = 1; }).register({}, 1); return late ?? 0;`), 'attacker');
    for (let turn = 0; turn < 3; turn += 1) expect(await patient.invoke(name)).toMatchObject({ value: 0 });
  });
});
