import { randomUUID } from 'node:crypto';
import { functionAnswerDepth } from '../../plugins/function-bounds';
import type { FunctionAnswer, FunctionCall, FunctionName, FunctionPlatform } from '../../plugins/function-platform';
import { fetchTests, type Run } from './function-fetch-tests';

/** A handler that answers a constant. */
const answering = (value: unknown): string => `exports.handler = async () => (${JSON.stringify(value)});`;

/** What every platform for functions must do. Call it at the top level of a test file. */
export function functionPlatformConformance(name: string, open: () => Promise<FunctionPlatform>): void {
  describe(`${name} runs functions`, () => {
    let platform: FunctionPlatform;
    let fn: FunctionName;
    const organizationId = randomUUID();
    beforeAll(async () => {
      platform = await open();
    }, 120_000);
    afterAll(() => platform.close());
    beforeEach(() => {
      // One organization for all: a platform may keep a process for each.
      fn = { organizationId, pluginId: randomUUID(), developerId: null };
    });

    const invoke = (call: Partial<FunctionCall> = {}): Promise<FunctionAnswer> =>
      platform.invoke({
        organizationId: fn.organizationId, functionArn: platform.arnOf(fn), qualifier: '$LATEST', payload: {},
        grants: { hosts: [], secrets: [] }, ...call,
      });
    const run = async (code: string, call: Partial<FunctionCall> = {}): Promise<FunctionAnswer> => {
      expect(await platform.deploy(fn, code)).toEqual({ ok: true });
      return invoke(call);
    };

    deploymentTests(() => ({ platform, fn, invoke }));
    answerTests(run, () => ({ platform, fn, invoke }));
    fetchTests(run);
  });
}

interface Lab {
  platform: FunctionPlatform;
  fn: FunctionName;
  invoke(call?: Partial<FunctionCall>): Promise<FunctionAnswer>;
}

function deploymentTests(lab: () => Lab): void {
  it('finds no function before it is deployed, and none after it was removed', async () => {
    const { platform, fn, invoke } = lab();
    expect(await invoke()).toEqual({ kind: 'missing' });
    await platform.remove(fn);
    await platform.deploy(fn, answering(1));
    expect(await invoke({ qualifier: 1 })).toEqual({ kind: 'missing' });
    await platform.remove(fn);
    expect(await invoke()).toEqual({ kind: 'missing' });
  });

  it('runs what was deployed last as $LATEST', async () => {
    const { platform, fn, invoke } = lab();
    for (const turn of [1, 2, 3]) {
      await platform.deploy(fn, answering({ turn }));
      expect(await invoke()).toMatchObject({ kind: 'returned', value: { turn } });
    }
  });

  it('publishes numbered versions that never change', async () => {
    const { platform, fn, invoke } = lab();
    expect(await platform.publish(fn, answering('one'), 'op-1')).toEqual({ ok: true, version: 1 });
    expect(await platform.publish(fn, answering('two'), 'op-2')).toEqual({ ok: true, version: 2 });
    expect(await platform.publish(fn, answering('two'), 'op-3')).toEqual({ ok: true, version: 3 });
    await platform.deploy(fn, answering('later'));
    for (const [qualifier, value] of [[1, 'one'], [2, 'two'], [3, 'two'], ['$LATEST', 'later']] as const)
      expect(await invoke({ qualifier })).toMatchObject({ kind: 'returned', value });
    expect(await invoke({ qualifier: 4 })).toEqual({ kind: 'missing' });
    const has = (qualifier: number | '$LATEST', organizationId = fn.organizationId): Promise<boolean> =>
      platform.has({ organizationId, functionArn: platform.arnOf(fn), qualifier });
    expect(await Promise.all([has(1), has('$LATEST'), has(4), has(1, randomUUID())])).toEqual([true, true, false, false]);
  });

  it('publishes an operation once, however often it is asked to', async () => {
    const { platform, fn, invoke } = lab();
    await platform.publish(fn, answering('one'), 'op-1');
    await platform.publish(fn, answering('two'), 'op-2');
    expect(await platform.publish(fn, answering('one'), 'op-1')).toEqual({ ok: true, version: 1 });
    expect(await invoke({ qualifier: 3 })).toEqual({ kind: 'missing' });
  });

  it.each([
    ['a syntax error', 'exports.handler = async ( => 1;', /syntax|unexpected|expect/i],
    ['an exception of the module', 'throw new RangeError("no licence");', /no licence/],
    ['no handler', 'exports.handle = () => 1;', /handler/],
    ['a handler that is no function', 'exports.handler = { a: 1 };', /handler/],
    ['a module of Node', 'const fs = require("fs"); exports.handler = () => 1;', /require/],
  ])('refuses code with %s, in words and without a stack', async (_, code, words) => {
    const { platform, fn, invoke } = lab();
    const refused = await platform.deploy(fn, code);
    expect(refused).toMatchObject({ ok: false, message: expect.stringMatching(words) });
    expect(JSON.stringify(refused)).not.toMatch(/\n\s+at |\.js:\d+/);
    expect(await platform.publish(fn, code, 'op-1')).toMatchObject({ ok: false, message: expect.stringMatching(words) });
    expect(await invoke({ qualifier: 1 })).toEqual({ kind: 'missing' });
  });

  it('keeps the function of a developer apart from the one that is shared', async () => {
    const { platform, fn, invoke } = lab();
    const own = { ...fn, developerId: randomUUID() };
    await platform.publish(fn, answering('shared'), 'op-1');
    await platform.deploy(own, answering('own'));
    expect(platform.arnOf(own)).not.toBe(platform.arnOf(fn));
    expect(await invoke()).toMatchObject({ value: 'shared' });
    expect(await invoke({ functionArn: platform.arnOf(own) })).toMatchObject({ value: 'own' });
    await platform.remove(own);
    expect(await invoke({ functionArn: platform.arnOf(own) })).toEqual({ kind: 'missing' });
    expect(await invoke()).toMatchObject({ value: 'shared' });
  });

  it('runs no function for another organization', async () => {
    const { platform, fn, invoke } = lab();
    await platform.publish(fn, answering('mine'), 'op-1');
    expect(await invoke({ organizationId: randomUUID() })).toEqual({ kind: 'missing' });
    expect(await invoke({ organizationId: randomUUID(), qualifier: 1 })).toEqual({ kind: 'missing' });
  });
}

function answerTests(run: Run, lab: () => Lab): void {
  it('gives the handler the payload and answers what it returns, as JSON', async () => {
    const payload = { a: [1, 'ä\u2028', null, { deep: true }], text: '"\\\n' };
    expect(await run('exports.handler = async (payload) => ({ got: payload, gone: undefined, at: new Date(0) });', { payload }))
      .toMatchObject({ kind: 'returned', value: { got: payload, at: '1970-01-01T00:00:00.000Z' } });
    expect(await run('module.exports = { handler: (payload) => payload.a };', { payload })).toMatchObject({ value: payload.a });
  });

  it.each([['null', null], ['undefined', null], ['', null], ['"text"', 'text'], ['7', 7], ['false', false], ['[]', []]])(
    'answers %s for what it is',
    async (returned, value) => {
      expect(await run(`exports.handler = async () => { return ${returned}; };`)).toMatchObject({ kind: 'returned', value });
    },
  );

  it.each([
    ['throw new Error("order 7 is closed")', 'order 7 is closed'],
    ['throw new TypeError("no total")', 'no total'],
    ['throw "just a text"', 'just a text'],
    ['await Promise.reject({ code: 17 })', '17'],
    ['null.total', 'null'],
  ])('reports %s with its message, without a stack', async (statement, message) => {
    const answer = await run(`exports.handler = async () => { ${statement}; };`);
    expect(answer).toMatchObject({ kind: 'threw', message: expect.stringContaining(message) });
    expect(JSON.stringify(answer)).not.toMatch(/\\n\s+at /);
  });

  it('reports an answer that is no JSON', async () => {
    expect(await run('exports.handler = async () => { const a = {}; a.a = a; return a; };')).toMatchObject({ kind: 'threw' });
    expect(await run('exports.handler = async () => 10n;')).toMatchObject({ kind: 'threw' });
  });

  it('keeps what was logged, with levels, in order and within bounds', async () => {
    const answer = await run(`exports.handler = async () => {
      console.log('a', { b: 1 }, [2]); console.debug('d'); console.info('i'); console.warn('w'); console.error(new Error('e'));
      console.log('x'.repeat(5000)); for (let i = 0; i < 300; i += 1) console.log('line', i);
    };`);
    expect(answer).toMatchObject({ kind: 'returned' });
    const { logs, logsDropped } = answer as Extract<FunctionAnswer, { kind: 'returned' }>;
    expect(logs.slice(0, 5).map(({ level, message }) => `${level} ${message}`)).toEqual([
      'info a {"b":1} [2]', 'debug d', 'info i', 'warn w', 'error Error: e',
    ]);
    expect(Buffer.byteLength(logs[5]!.message)).toBeLessThanOrEqual(2_048);
    expect(logs).toHaveLength(200);
    expect(logsDropped).toBe(106);
    expect(Math.abs(logs[0]!.at - Date.now())).toBeLessThan(60_000);
  });

  it('keeps what was logged before a handler threw', async () => {
    const answer = await run('exports.handler = async () => { console.log("so far"); throw new Error("then"); };');
    expect(answer).toMatchObject({ kind: 'threw', logs: [{ level: 'info', message: 'so far' }] });
  });

  it('refuses an answer over its bounds', async () => {
    expect(await run('exports.handler = async () => "x".repeat(1024 * 1024 + 1);')).toMatchObject({
      kind: 'limit', limit: 'response', message: expect.stringContaining('1 MiB'),
    });
    expect(await run('exports.handler = async () => "ä".repeat(500 * 1024);')).toMatchObject({ kind: 'returned' });
    const nested = (depth: number): string =>
      `exports.handler = async () => { let a = 1; for (let i = 0; i < ${depth}; i += 1) a = [a]; return a; };`;
    expect(await run(nested(functionAnswerDepth))).toMatchObject({ kind: 'returned' });
    expect(await run(nested(functionAnswerDepth + 1))).toMatchObject({
      kind: 'limit', limit: 'response', message: expect.stringContaining(String(functionAnswerDepth)),
    });
  });

  it('tells how long it took and how much memory was used', async () => {
    const answer = await run('exports.handler = async () => { await new Promise((r) => setTimeout(r, 60)); return 1; };');
    const { durationMs, memoryMb } = answer as Extract<FunctionAnswer, { kind: 'returned' }>;
    expect(durationMs).toBeGreaterThanOrEqual(50);
    expect(memoryMb).toBeGreaterThan(0);
  });

  it('answers each of many invocations with its own result', async () => {
    const { platform, fn, invoke } = lab();
    await platform.deploy(fn, `exports.handler = async ({ n }) => {
      if (n % 3 === 0) await new Promise((resolve) => setTimeout(resolve, n % 7));
      return { n };
    };`);
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => invoke({ payload: { n } })));
    answers.forEach((answer, n) => expect(answer).toMatchObject({ kind: 'returned', value: { n } }));
  });

  it('has the promised globals', async () => {
    expect(
      await run(`exports.handler = async () => ({
        uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-4/.test(crypto.randomUUID()) && crypto.randomUUID() !== crypto.randomUUID(),
        bytes: Array.from(new TextEncoder().encode('aä€😀')),
        url: (() => { const u = new URL('/b?x=1&y=a%20b#h', 'https://user@a.example:8080/c'); u.searchParams.append('z',
          'ä'); u.port = '';
          return [u.href, u.host, u.searchParams.get('y'), u.hash]; })(),
        invalid: (() => { try { return new URL('nothing').href; } catch (error) { return error.name === 'TypeError'; } })(),
        base64: [atob(btoa('a\\u00e9')), btoa('hello')],
        order: await (async () => { const seen = []; const timer = setTimeout(() => seen.push('never'), 0); clearTimeout(timer);
          await new Promise((r) => { setTimeout(() => { seen.push('b'); r(); }, 300); setTimeout(() => seen.push('a'),
            1); }); return seen; })(),
      });`),
    ).toMatchObject({
      value: {
        uuid: true,
        bytes: [97, 195, 164, 226, 130, 172, 240, 159, 152, 128],
        url: ['https://user@a.example/b?x=1&y=a+b&z=%C3%A4#h', 'a.example', 'a b', '#h'],
        invalid: true,
        base64: ['a\u00e9', 'aGVsbG8='],
        order: ['a', 'b'],
      },
    });
  });
}
