import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { FunctionAnswer, FunctionCall } from '@sluice/ports';
import { until } from '@sluice/ports/testing';
import { handler, type Lab, openLab } from './test-support/lab';
import { leftoverTests } from './test-support/leftover-tests';

/** What an attempt leads to: the kind of the answer, and what its value or message says. */
type Contained =
  | { kind: 'returned'; value: unknown }
  | { kind: 'threw'; message: RegExp }
  | { kind: 'limit'; limit: 'time' | 'memory' | 'stack' | 'response' };

const refused: Contained = { kind: 'threw', message: /not available/ };
const time: Contained = { kind: 'limit', limit: 'time' };
const memory: Contained = { kind: 'limit', limit: 'memory' };
const stack: Contained = { kind: 'limit', limit: 'stack' };
const response: Contained = { kind: 'limit', limit: 'response' };
const returns = (value: unknown): Contained => ({ kind: 'returned', value });
const throws = (message: RegExp): Contained => ({ kind: 'threw', message });

/** Attempts within one call: the body of the handler, and how it ends. */
const attempts: [name: string, body: string, contained: Contained | Contained[]][] = [
  // Code from text, and the way to other globals
  ['a constructor chain', 'return [].constructor.constructor("return globalThis")();', refused],
  ['Function', 'return Function("return 1")();', refused],
  ['new Function', 'return new Function("return 1")();', refused],
  ['Reflect.construct of Function', 'return Reflect.construct(Function, ["return 1"])();', refused],
  ['the constructor of async functions', 'return (async () => {}).constructor("return 1")();', refused],
  ['the constructor of generators', 'return [...(function* () {}).constructor("yield 1")()];', refused],
  ['the constructor of async generators', 'return (async function* () {}).constructor("yield 1")();', refused],
  ['eval', 'return eval("1 + 1");', refused],
  ['indirect eval', 'return (0, eval)("1 + 1");', refused],
  ['a timer of a text', 'setTimeout("globalThis.x = 1", 1);', throws(/function/)],
  ['import of a module of Node', 'return Object.keys(await import("fs"));', throws(/./)],
  ['import of a URL', 'return await import("data:text/javascript,export default 1");', throws(/./)],
  ['require within a call', 'return require("child_process");', refused],
  [
    'the globals of Node',
    `return ['process', 'Buffer', 'global', 'WebAssembly', 'std', 'os', 'bjson', 'performance', 'SharedArrayBuffer', 'Atomics', 'print',
      'gc', 'navigator', 'Deno', 'scriptArgs'].filter((name) => globalThis[name] !== undefined);`,
    returns([]),
  ],
  ['module.constructor', 'return module.constructor === Object && module.paths === undefined;', returns(true)],
  ['the callers of its handler', 'return arguments.callee.caller ?? null;', [returns(null), throws(/./)]],
  [
    'frames of the sandbox in a stack',
    `const { stack } = new Error('x'); return /guest-instance|node:|\\/(src|dist)\\//.test(stack);`,
    returns(false),
  ],
  [
    'Error.prepareStackTrace',
    'Error.prepareStackTrace = (e, frames) => frames; return typeof new Error("x").stack[0]?.getFunction;',
    returns('undefined'),
  ],
  // Bounds of time
  ['an endless loop', 'for (;;) {}', time],
  ['an endless loop in a finally', 'for (;;) { try { for (;;) {} } finally { continue; } }', time],
  ['an endless chain of promises', 'const next = () => Promise.resolve().then(next); await next();', time],
  ['endless timers', 'const next = () => setTimeout(next, 0); next(); await new Promise(() => undefined);', time],
  ['a regular expression that explodes', 'return /^(a+)+$/.test("a".repeat(50) + "b");', time],
  ['a getter that never ends', 'return { get a() { for (;;) {} } };', time],
  ['a toJSON that never ends', 'return { toJSON() { for (;;) {} } };', time],
  ['a promise that is never settled', 'await new Promise(() => undefined);', throws(/never be settled/)],
  ['a sleep', 'await new Promise((r) => setTimeout(r, 60_000));', time],
  ['an exponential of big integers', 'let x = 3n; for (;;) x = x * x;', [throws(/BigInt/), time]],
  // Bounds of memory and stack
  ['a list that grows', 'const a = []; for (;;) a.push(new Array(1000).fill(1));', [memory, time]],
  ['texts that grow', 'let s = "x".repeat(1e6); const a = []; for (;;) a.push(s + a.length);', [memory, time]],
  ['buffers', 'const a = []; for (;;) a.push(new Uint8Array(1 << 20).fill(1));', [memory, time]],
  ['one huge buffer', 'return new ArrayBuffer(2 ** 30).byteLength;', memory],
  ['endless symbols', 'for (let i = 0; ; i += 1) Symbol.for("x".repeat(1000) + i);', [memory, time]],
  ['a recursion', 'const f = () => f() + 1; return f();', stack],
  ['a recursion that catches', 'const f = () => { try { f(); } catch { f(); } }; f();', [stack, time]],
  ['a recursion in toString', 'const o = { toString() { return this + ""; } }; return o + "";', stack],
  [
    'a deep value that is written',
    'let o = {}; for (let i = 0; i < 1e5; i += 1) o = { o }; return JSON.stringify(o).length;',
    [stack, time],
  ],
  ['a deep value that is read', 'return JSON.parse("[".repeat(1e5) + "]".repeat(1e5)).length;', stack],
  ['a chain of proxies', 'let p = {}; for (let i = 0; i < 1e5; i += 1) p = new Proxy(p, {}); return p.x;', [stack, time]],
  // Bounds of what comes out
  ['a huge answer', 'return "x".repeat(5_000_000);', response],
  ['an answer that is deep', 'let o = {}; for (let i = 0; i < 1000; i += 1) o = { o }; return o;', response],
  ['a flood of the log', 'for (let i = 0; i < 100_000; i += 1) console.log("x".repeat(1000)); return 1;', [returns(1), time]],
  ['a huge line of the log', 'console.log("x".repeat(30_000_000)); return 1;', returns(1)],
  [
    'a value that cannot be shown',
    'throw { get message() { throw 1; }, toString() { throw 2; }, toJSON() { throw 3; } };',
    throws(/cannot be shown/),
  ],
  ['a proxy that throws', 'throw new Proxy({}, { get() { throw new Error("in the trap"); } });', throws(/./)],
  ['two answers', 'return { then(resolve) { resolve(1); resolve(2); } };', returns(1)],
  ['a key of prototypes', 'return JSON.parse(\'{"__proto__": {"admin": true}, "a": 1}\');', returns({ a: 1 })],
];

/** Calls that would reach what was not granted. `{base}`: a server on a loopback address. */
const calls: [name: string, url: string, init: string, message: RegExp][] = [
  ['a loopback address', 'http://127.0.0.1:{port}/', '{}', /private address/],
  ['a loopback address, as a number', 'http://2130706433:{port}/', '{}', /private address/],
  ['a loopback address, in hexadecimal', 'http://0x7f.1:{port}/', '{}', /private address/],
  ['the name of a loopback address', 'http://localhost:{port}/', '{}', /private address/],
  ['the metadata of the cloud', 'http://169.254.169.254/latest/meta-data/', '{}', /private address/],
  ['a name that leads to a private address', 'http://internal.granted.example:{port}/', '{}', /private address/],
  ['a host that is not declared', 'https://evil.example/', '{}', /not covered/],
  ['a host that ends like a declared one', 'https://granted.example.evil.example/', '{}', /not covered/],
  ['a declared host as user name', 'https://granted.example@evil.example/', '{}', /user name/],
  ['a file', 'file:///etc/passwd', '{}', /only http/],
  ['data', 'data:text/plain,hello', '{}', /only http/],
  ['another host by a header', 'https://granted.example/', '{ headers: { Host: "evil.example" } }', /belongs to the connection/],
  ['a header of the connection', 'https://granted.example/', '{ headers: { TE: "trailers" } }', /belongs to the connection/],
  ['a second request in a header', 'https://granted.example/', '{ headers: { a: "b\\r\\nHost: evil.example" } }', /value/],
  ['a cookie', 'https://granted.example/', '{ headers: { Cookie: "a=b" } }', /cannot be set/],
];

describe('what a plugin tries to get out, or to keep others from running', () => {
  let lab: Lab;
  /** With a short limit of time, for attempts that run into it. */
  let hasty: Lab;
  let neighbour: () => Promise<{ slowestMs: number; answered: number }>;
  beforeAll(async () => {
    // Long: what the attacker computes gives way to all other work of the machine.
    lab = openLab({ maxPerOrganization: 1, maxChildren: 4, bounds: { wallMs: 40_000 } });
    hasty = openLab({ maxPerOrganization: 1, maxChildren: 2, bounds: { wallMs: 500 } });
    const name = await lab.deploy(handler('return { ok: true };'), 'neighbour');
    // Another tenant whose function is invoked all the time.
    let [stopped, slowestMs, answered] = [false, 0, 0];
    const loop = (async () => {
      while (!stopped) {
        const startedAt = performance.now();
        const answer = await lab.invoke(name);
        expect(answer).toMatchObject({ kind: 'returned', value: { ok: true } });
        slowestMs = Math.max(slowestMs, performance.now() - startedAt);
        answered += 1;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    })();
    neighbour = async () => {
      stopped = true;
      await loop;
      return { slowestMs, answered };
    };
  }, 60_000);
  afterAll(async () => {
    await neighbour();
    await Promise.all([lab.close(), hasty.close()]);
  });

  const heapBefore = process.memoryUsage().rss;
  const isContained = (answer: FunctionAnswer, contained: Contained): boolean => {
    if (answer.kind !== contained.kind) return false;
    if (contained.kind === 'limit') return (answer as { limit: string }).limit === contained.limit;
    if (contained.kind === 'threw') return contained.message.test((answer as { message: string }).message);
    return JSON.stringify((answer as { value: unknown }).value) === JSON.stringify(contained.value);
  };

  it.each(attempts)('%s', async (_, body, contained) => {
    const runsOut = [contained].flat().includes(time);
    const { deploy, invoke } = runsOut ? hasty : lab;
    const answer = await invoke(await deploy(handler(body), 'attacker'));
    const ways = Array.isArray(contained) ? contained : [contained];
    const { logs: _logs, ...seen } = answer as { logs?: unknown };
    if (!ways.some((way) => isContained(answer, way))) expect(seen).toEqual(ways);
    // What the log kept is bounded.
    expect(JSON.stringify(answer).length).toBeLessThan(1_000_000);
  });

  describe('calls', () => {
    let server: Server;
    let port: number;
    const bomb = gzipSync(Buffer.alloc(8_000_000));
    const seen: string[] = [];
    let publicOnly: Lab;
    let denying: Lab;
    beforeAll(async () => {
      server = createServer((request, answer) => {
        seen.push(request.url!);
        if (request.url === '/never') return;
        if (request.url === '/to-evil') return void answer.writeHead(302, { location: 'http://evil.example/' }).end();
        if (request.url === '/to-metadata') return void answer.writeHead(307, { location: 'http://169.254.169.254/' }).end();
        if (request.url === '/to-itself') return void answer.writeHead(302, { location: '/to-itself' }).end();
        if (request.url === '/huge') return void answer.end('x'.repeat(3_000_000));
        if (request.url === '/bomb') return void answer.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
        answer.end(JSON.stringify(request.headers));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      ({ port } = server.address() as AddressInfo);
      publicOnly = openLab({
        bounds: { wallMs: 10_000 }, allowPrivateTargets: false,
        resolve: (_name, _options, done) => done(null, [{ address: '10.0.0.7', family: 4 }]),
      });
      denying = openLab({ bounds: { wallMs: 10_000 }, deniedTargets: ['127.0.0.2', '127.1.0.0/16'] });
    });
    beforeEach(() => {
      seen.length = 0;
    });
    afterAll(async () => {
      await Promise.all([publicOnly.close(), denying.close()]);
      server.close();
      server.closeAllConnections();
    });
    const grants = (secrets: FunctionCall['grants']['secrets'] = []): FunctionCall['grants'] => ({
      hosts: ['granted.example', '*.granted.example', '127.0.0.1', 'localhost', '169.254.169.254'], secrets,
    });
    const fetching = (url: string, init = '{}'): string =>
      handler(`return fetch(${JSON.stringify(url.replace('{port}', String(port)))}, ${init})
        .then((r) => r.text().then((text) => text.length), (error) => 'refused: ' + error.message);`);

    it.each(calls)('%s', async (_, url, init, message) => {
      const name = await publicOnly.deploy(fetching(url, init), 'attacker');
      const answer = await publicOnly.invoke(name, { grants: grants() });
      expect(answer).toMatchObject({ kind: 'returned', value: expect.stringMatching(/^refused: /) });
      expect((answer as { value: string }).value).toMatch(message);
      expect(seen).toEqual([]);
    });

    it.each([
      ['a redirect to a host that is not declared', '/to-evil', /not covered/],
      ['a redirect that never ends', '/to-itself', /redirects/],
      ['a huge answer', '/huge', /longer than/],
      ['an answer that unpacks to much', '/bomb', /longer than/],
    ])('%s', async (_, path, message) => {
      const name = await lab.deploy(fetching(`http://127.0.0.1:{port}${path}`), 'attacker');
      const answer = await lab.invoke(name, { grants: { hosts: ['127.0.0.1'], secrets: [] } });
      expect((answer as { value: string }).value).toMatch(message);
    });

    it('an answer that never comes', async () => {
      const name = await hasty.deploy(handler(`await fetch('http://127.0.0.1:${port}/never');`), 'attacker');
      // The request's own time, or that of the invocation, is over first.
      const { kind } = await hasty.invoke(name, { grants: grants() });
      expect(['limit', 'threw']).toContain(kind);
      const next = await hasty.deploy(handler('return 1;'), 'attacker');
      await until('the next one is answered', async () => (await hasty.invoke(next)).kind === 'returned');
    });

    it.each(['127.0.0.2', '127.1.2.3'])('an address that the operator denies, where private ones are allowed: %s',
      async (address) => {
      const name = await denying.deploy(fetching(`http://${address}:{port}/`), 'attacker');
      const answer = await denying.invoke(name, { grants: { hosts: [address], secrets: [] } });
      expect(answer).toMatchObject({ kind: 'returned', value: expect.stringMatching(/^refused: .*private address/) });
    });

    it('more calls than are allowed', async () => {
      const name = await lab.deploy(
        handler(`const call = () => fetch('http://127.0.0.1:${port}/').then(() => 1, (e) => e.message);
          return (await Promise.all(Array.from({ length: 25 }, call))).filter((one) => one !== 1);`), 'attacker');
      const answer = await lab.invoke(name, { grants: grants() });
      expect(answer).toMatchObject({ kind: 'returned', value: Array.from({ length: 5 }, () => expect.stringContaining('20')) });
      expect(seen).toHaveLength(20);
    });

    it.each([
      ['a header', `fetch(other, { headers: { 'X-Any': 'has top-secret-1 in it' } })`],
      ['the address', `fetch(other + '?' + new URL('http://a.b/?x=' + encodeURIComponent('top-secret-1')).searchParams)`],
      ['the body', `fetch(other, { method: 'POST', body: 'top-secret-1' })`],
    ])('a granted secret to another origin, in %s', async (_, call) => {
      const body = `const other = 'http://localhost:${port}/'; return ${call}.then(() => 'sent', (e) => e.message);`;
      const name = await lab.deploy(handler(body), 'attacker');
      const secrets = [{ value: 'top-secret-1', origin: `http://127.0.0.1:${port}` }];
      expect(await lab.invoke(name, { grants: grants(secrets) })).toMatchObject({ value: expect.stringContaining('auth grant') });
      expect(seen).toEqual([]);
    });
  });

  leftoverTests(() => lab);

  it('a process that dies in the middle interrupts what was under way, and the next invocation has a new one', async () => {
    const name = await lab.deploy(handler('await new Promise((r) => setTimeout(r, 1_000)); return 1;'), 'dying');
    const underWay = Promise.all([1, 2, 3].map(() => lab.invoke(name)));
    await until('a child has work', () => lab.platform.pool.loadOf('dying') === 3);
    for (const pid of lab.platform.pool.pidsOf('dying')) process.kill(pid, 'SIGKILL');
    for (const answer of await underWay) expect(answer).toMatchObject({ kind: 'interrupted' });
    expect(await lab.invoke(name)).toMatchObject({ kind: 'returned', value: 1 });
  });

  it('meanwhile another tenant was answered every time, and the memory of the service stayed bounded', async () => {
    const { slowestMs, answered } = await neighbour();
    expect(answered).toBeGreaterThan(attempts.length);
    const grownMb = (process.memoryUsage().rss - heapBefore) / 1_048_576;
    expect(grownMb).toBeLessThan(400);
    const seen = `neighbour answered ${answered} times, slowest ${slowestMs.toFixed(0)} ms; memory +${grownMb.toFixed(0)} MB`;
    process.stdout.write(`escapes: ${seen}\n`);
  });
});
