/** What an attempt leads to: the kind of the answer, and what its value or message says. */
export type Contained =
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
export const attempts: [name: string, body: string, contained: Contained | Contained[]][] = [
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
export const calls: [name: string, url: string, init: string, message: RegExp][] = [
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
