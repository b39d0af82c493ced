import { handler, type Lab } from './lab';

/** What an invocation of a plugin leaves behind: nothing that the next one, or another function, can see. */
export function leftoverTests(lab: () => Lab): void {
  describe('what an invocation leaves', () => {
    const twice = async (code: string): Promise<unknown[]> => {
      const name = await lab().deploy(code, 'attacker');
      const answers = [await lab().invoke(name), await lab().invoke(name), await lab().invoke(name)];
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
      const name = await lab().deploy(code, 'attacker');
      await lab().invoke(name);
      expect(await lab().invoke(name, { payload: { wait: 30 } })).toMatchObject({ value: 0 });
    });

    it('built-ins that one function changes are whole for another one, of the same organization too', async () => {
      const evil = await lab().deploy(`JSON.stringify = () => '"owned"'; JSON.parse = () => ({ owned: true });
        Promise.prototype.then = () => undefined; Array.prototype.map = () => ['owned']; exports.handler = async () =>
          1;`, 'attacker');
      await lab().invoke(evil);
      const body = 'return [1, 2].map((n) => n + payload.add);';
      for (const organization of ['attacker', 'third']) {
        const name = await lab().deploy(handler(body), organization);
        expect(await lab().invoke(name, { payload: { add: 1 } })).toMatchObject({ value: [2, 3] });
      }
    });

    it('a function that breaks its own built-ins still gives its own answer only', async () => {
      const name = await lab().deploy(`JSON.stringify = () => '"owned"'; Promise.prototype.then = () => undefined;
        exports.handler = async () => ({ own: true });`, 'attacker');
      expect(await lab().invoke(name)).toMatchObject({ kind: 'returned', value: { own: true } });
    });

    it('code that closes the function around it stays in its own instance', async () => {
      const code = '}); globalThis.exports = {}; (function (exports, module, require) { exports.handler = async () => "inside";';
      const name = await lab().deploy(code, 'attacker');
      expect(await lab().invoke(name)).toMatchObject({ kind: 'returned', value: 'inside' });
    });
  });
}
