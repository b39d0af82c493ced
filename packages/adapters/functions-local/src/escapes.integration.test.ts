import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { FunctionAnswer, FunctionCall } from '@sluice/ports';
import { until } from '@sluice/ports/testing';
import { attempts, calls, type Contained } from './test-support/escape-attempts';
import { handler, type Lab, openLab } from './test-support/lab';

describe('what a plugin tries to get out, or to keep others from running', () => {
  let lab: Lab;
  /** With a short limit of time, for attempts that run into it. */
  let hasty: Lab;
  let neighbour: () => Promise<{ slowestMs: number; answered: number }>;
  beforeAll(async () => {
    lab = openLab({ maxPerOrganization: 1, maxChildren: 4, bounds: { wallMs: 10_000 } });
    hasty = openLab({ maxPerOrganization: 1, maxChildren: 2, bounds: { wallMs: 500 },
      deniedTargets: ['127.0.0.2', '127.1.0.0/16'] });
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
        allowPrivateTargets: false,
        resolve: (_name, _options, done) => done(null, [{ address: '10.0.0.7', family: 4 }]),
      });
    });
    beforeEach(() => {
      seen.length = 0;
    });
    afterAll(async () => {
      await publicOnly.close();
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
      expect(await hasty.invoke(next)).toMatchObject({ value: 1 });
    });

    it.each(['127.0.0.2', '127.1.2.3'])('an address that the operator denies, where private ones are allowed: %s',
      async (address) => {
      const name = await hasty.deploy(fetching(`http://${address}:{port}/`), 'attacker');
      const answer = await hasty.invoke(name, { grants: { hosts: [address], secrets: [] } });
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

  describe('what an invocation leaves', () => {
    const twice = async (code: string): Promise<unknown[]> => {
      const name = await lab.deploy(code, 'attacker');
      const answers = [await lab.invoke(name), await lab.invoke(name), await lab.invoke(name)];
      return answers.map((answer) => (answer.kind === 'returned' ? answer.value : answer));
    };

    it.each([
      ['in a variable of the module', 'let n = 0; exports.handler = async () => (n += 1);'],
      ['in the globals', handler('globalThis.n = (globalThis.n ?? 0) + 1; return globalThis.n;')],
      ['on a prototype', handler('Object.prototype.n = (({}).n ?? 0) + 1; return ({}).n;')],
      ['in a built-in function', handler('const { map } = Array.prototype; map.n = (map.n ?? 0) + 1; return map.n;')],
      ['in a promise', `let kept = Promise.resolve(0); ${handler('const n = (await kept) + 1; kept = Promise.resolve(n); return n;')}`],
      ['in the module object', handler('module.n = (module.n ?? 0) + 1; return module.n;')],
      ['in a symbol', handler('const s = Symbol.for("n"); globalThis[s] = (globalThis[s] ?? 0) + 1; return globalThis[s];')],
      ['in a cache', `const cache = new Map(); ${handler('cache.set(cache.size, 1); return cache.size;')}`],
      ['before an exception', `let n = 0; ${handler('n += 1; if (n > 1) throw new Error("seen"); return n;')}`],
      ['in large memory', `const kept = []; ${handler('kept.push(new Uint8Array(20_000_000).fill(7)); return kept.length;')}`],
    ])('%s is not there for the next one', async (_, code) => {
      expect(await twice(code)).toEqual([1, 1, 1]);
    });

    it('random numbers differ from one to the next', async () => {
      const values = await twice(handler('return [Math.random(), crypto.randomUUID()].join();'));
      expect(new Set(values).size).toBe(3);
    });

    it('a timer that goes on after the answer does nothing to the next', async () => {
      const code = handler(`const { late } = globalThis; setTimeout(() => { globalThis.late = 1; }, 5);
        await new Promise((r) => setTimeout(r, payload.wait ?? 0)); return late ?? 0;`);
      const name = await lab.deploy(code, 'attacker');
      await lab.invoke(name);
      expect(await lab.invoke(name, { payload: { wait: 30 } })).toMatchObject({ value: 0 });
    });

    it('built-ins that one function changes are whole for another one, of the same organization too', async () => {
      const evil = await lab.deploy(`JSON.stringify = () => '"owned"'; JSON.parse = () => ({ owned: true });
        Promise.prototype.then = () => undefined; Array.prototype.map = () => ['owned']; exports.handler = async () =>
          1;`, 'attacker');
      await lab.invoke(evil);
      const body = 'return [1, 2].map((n) => n + payload.add);';
      for (const organization of ['attacker', 'third']) {
        const name = await lab.deploy(handler(body), organization);
        expect(await lab.invoke(name, { payload: { add: 1 } })).toMatchObject({ value: [2, 3] });
      }
    });

    it('a function that breaks its own built-ins still gives its own answer only', async () => {
      const name = await lab.deploy(`JSON.stringify = () => '"owned"'; Promise.prototype.then = () => undefined;
        exports.handler = async () => ({ own: true });`, 'attacker');
      expect(await lab.invoke(name)).toMatchObject({ kind: 'returned', value: { own: true } });
    });

    it('code that closes the function around it stays in its own instance', async () => {
      const code = '}); globalThis.exports = {}; (function (exports, module, require) { exports.handler = async () => "inside";';
      const name = await lab.deploy(code, 'attacker');
      expect(await lab.invoke(name)).toMatchObject({ kind: 'returned', value: 'inside' });
    });
  });

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
