/**
 * What a function finds around it, and the only way in and out. Runs inside of QuickJS, before the function's own code. Takes the
 * calls of the sandbox (`host`), which the function never sees; gives the one function by which the sandbox calls back.
 *
 * What a function does to its globals harms itself alone: the memory of its instance is put back after every invocation.
 */
(function (host) {
  'use strict';

  const { stringify, parse } = JSON;
  const { defineProperty, getPrototypeOf, getOwnPropertyNames } = Object;
  const bound = (method) => Function.prototype.call.bind(method);
  const [slice, join, map] = [bound(String.prototype.slice), bound(Array.prototype.join), bound(Array.prototype.map)];
  const [then, toText, charCode] = [bound(Promise.prototype.then), String, bound(String.prototype.charCodeAt)];
  const resolved = Promise.resolve.bind(Promise);
  const [ErrorType, PromiseType, TypeErrorType] = [Error, Promise, TypeError];
  const isError = (value) => value instanceof ErrorType;

  /** The globals of ECMAScript; what else the engine brings is taken away. */
  const kept = new Set(
    ('Object Function Error EvalError RangeError ReferenceError SyntaxError TypeError URIError AggregateError Iterator Array ' +
      'Number Boolean String Symbol Math JSON Reflect Proxy Map Set WeakMap WeakSet WeakRef FinalizationRegistry Promise Date ' +
      'RegExp BigInt ArrayBuffer DataView Uint8Array Int8Array Uint8ClampedArray Uint16Array Int16Array Uint32Array Int32Array ' +
      'Float16Array Float32Array Float64Array BigInt64Array BigUint64Array parseInt parseFloat isNaN isFinite decodeURI ' +
      'decodeURIComponent encodeURI encodeURIComponent escape unescape Infinity NaN undefined eval globalThis').split(' '),
  );
  for (const name of getOwnPropertyNames(globalThis)) if (!kept.has(name)) delete globalThis[name];

  const put = (target, name, value) => defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });

  /** Code that is made of text at run time is refused, by whatever constructor. */
  function refuseEvaluation() {
    const refusal = (name) => function () {
      throw new EvalError(name + ' is not available: a plugin cannot evaluate code from text');
    };
    const kinds = [function () {}, async function () {}, function* () {}, async function* () {}];
    for (const kind of kinds) {
      const prototype = getPrototypeOf(kind);
      const constructor = refusal(prototype.constructor.name);
      constructor.prototype = prototype;
      put(prototype, 'constructor', constructor);
    }
    put(globalThis, 'Function', Function.prototype.constructor);
    put(globalThis, 'eval', refusal('eval'));
  }

  /** What a thrown value says, without a stack. */
  function messageOf(thrown) {
    try {
      if (isError(thrown)) return thrown.name === 'Error' ? toText(thrown.message) : thrown.name + ': ' + thrown.message;
      return textOf(thrown);
    } catch {
      return 'it threw a value that cannot be shown';
    }
  }

  /** A value in a line of the log. */
  function textOf(value) {
    if (typeof value === 'string') return value;
    if (isError(value)) return value.name + ': ' + value.message;
    try {
      return stringify(value) ?? toText(value);
    } catch {
      return toText(value);
    }
  }

  const fail = (thrown) => host.finish(false, messageOf(thrown));

  // The log

  const logAt = (level) => (...values) => {
    let line;
    try {
      line = join(map(values, textOf), ' ');
    } catch {
      line = 'a value that cannot be shown';
    }
    host.log(level, slice(line, 0, 8192));
  };
  const console = { debug: logAt(0), log: logAt(1), info: logAt(1), warn: logAt(2), error: logAt(3), trace: logAt(0) };

  // Timers, which end with the call

  const timers = new Map();
  const [timerGet, timerSet, timerDelete] = [bound(Map.prototype.get), bound(Map.prototype.set), bound(Map.prototype.delete)];

  function startTimer(callback, ms, args, repeats) {
    if (typeof callback !== 'function') throw new TypeErrorType('a timer needs a function');
    const wait = Math.max(Number(ms) || 0, repeats ? 1 : 0);
    const id = host.timer(wait);
    timerSet(timers, id, { callback, args, wait: repeats ? wait : null });
    return id;
  }
  function stopTimer(id) {
    if (timerDelete(timers, id)) host.untimer(id);
  }
  function fireTimer(id) {
    const timer = timerGet(timers, id);
    if (!timer) return;
    if (timer.wait === null) timerDelete(timers, id);
    else host.timer(timer.wait, id);
    try {
      timer.callback(...timer.args);
    } catch (thrown) {
      fail(thrown);
    }
  }

  // Addresses: the sandbox parses them, so that they mean here what they mean where they are called

  function pairsOf(init) {
    if (init === undefined || init === null) return [];
    if (typeof init === 'string') return parse(host.parseQuery(init));
    if (init instanceof URLSearchParams || init instanceof Headers) return Array.from(init);
    if (typeof init[Symbol.iterator] === 'function') return Array.from(init, ([name, value]) => [toText(name), toText(value)]);
    return Object.entries(init).map(([name, value]) => [name, toText(value)]);
  }

  class URLSearchParams {
    #pairs;
    #changed = () => undefined;
    constructor(init, changed) {
      this.#pairs = pairsOf(init);
      if (typeof changed === 'function') this.#changed = changed;
    }
    #change(pairs) {
      this.#pairs = pairs;
      this.#changed(this.toString());
    }
    get size() {
      return this.#pairs.length;
    }
    append(name, value) {
      this.#change([...this.#pairs, [toText(name), toText(value)]]);
    }
    delete(name) {
      this.#change(this.#pairs.filter(([one]) => one !== toText(name)));
    }
    get(name) {
      return this.#pairs.find(([one]) => one === toText(name))?.[1] ?? null;
    }
    getAll(name) {
      return this.#pairs.filter(([one]) => one === toText(name)).map(([, value]) => value);
    }
    has(name) {
      return this.#pairs.some(([one]) => one === toText(name));
    }
    set(name, value) {
      const place = this.#pairs.findIndex(([one]) => one === toText(name));
      const others = this.#pairs.filter(([one], index) => one !== toText(name) || index === place);
      if (place === -1) this.#change([...others, [toText(name), toText(value)]]);
      else this.#change(others.map((pair) => (pair[0] === toText(name) ? [pair[0], toText(value)] : pair)));
    }
    sort() {
      this.#change([...this.#pairs].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)));
    }
    forEach(callback) {
      for (const [name, value] of this.#pairs) callback(value, name, this);
    }
    keys() {
      return this.#pairs.map(([name]) => name)[Symbol.iterator]();
    }
    values() {
      return this.#pairs.map(([, value]) => value)[Symbol.iterator]();
    }
    entries() {
      return this.#pairs.map(([name, value]) => [name, value])[Symbol.iterator]();
    }
    [Symbol.iterator]() {
      return this.entries();
    }
    toString() {
      return host.formatQuery(stringify(this.#pairs));
    }
  }

  const urlParts = ['href', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'];
  class URL {
    #parts;
    #params;
    constructor(url, base) {
      const parts = host.url(toText(url), base === undefined ? '' : toText(base));
      if (parts === '') throw new TypeErrorType('Invalid URL');
      this.#parts = parse(parts);
      this.#params = this.#newParams();
    }
    #newParams() {
      return new URLSearchParams(this.#parts.search, (query) => this.#set('search', query));
    }
    #set(name, value) {
      const parts = host.urlWith(this.#parts.href, name, toText(value));
      if (parts === '') throw new TypeErrorType('Invalid URL');
      this.#parts = parse(parts);
    }
    static part(url, name) {
      return url.#parts[name];
    }
    static setPart(url, name, value) {
      url.#set(name, value);
      if (name === 'search' || name === 'href') url.#params = url.#newParams();
    }
    static canParse(url, base) {
      return host.url(toText(url), base === undefined ? '' : toText(base)) !== '';
    }
    get origin() {
      return this.#parts.origin;
    }
    get searchParams() {
      return this.#params;
    }
    toString() {
      return this.#parts.href;
    }
    toJSON() {
      return this.#parts.href;
    }
  }
  const { part, setPart } = URL;
  delete URL.part;
  delete URL.setPart;
  for (const name of urlParts) {
    defineProperty(URL.prototype, name, {
      get() {
        return part(this, name);
      },
      set(value) {
        setPart(this, name, value);
      },
      configurable: true,
      enumerable: true,
    });
  }

  // Requests

  class Headers {
    #pairs;
    constructor(init) {
      this.#pairs = pairsOf(init).map(([name, value]) => [name.toLowerCase(), value]);
    }
    get(name) {
      const values = this.#pairs.filter(([one]) => one === toText(name).toLowerCase()).map(([, value]) => value);
      return values.length > 0 ? values.join(', ') : null;
    }
    has(name) {
      return this.#pairs.some(([one]) => one === toText(name).toLowerCase());
    }
    forEach(callback) {
      for (const [name, value] of this.#pairs) callback(value, name, this);
    }
    entries() {
      return this.#pairs.map(([name, value]) => [name, value])[Symbol.iterator]();
    }
    keys() {
      return this.#pairs.map(([name]) => name)[Symbol.iterator]();
    }
    values() {
      return this.#pairs.map(([, value]) => value)[Symbol.iterator]();
    }
    [Symbol.iterator]() {
      return this.entries();
    }
  }

  const requests = new Map();

  function fetch(input, init = {}) {
    return new PromiseType((resolve, reject) => {
      const { method = 'GET', headers, body } = init ?? {};
      const pairs = pairsOf(headers);
      const sent = body === undefined || body === null ? null : bodyOf(body);
      if (sent?.type && !pairs.some(([name]) => name.toLowerCase() === 'content-type')) pairs.push(['content-type', sent.type]);
      const request = stringify({ url: toText(input), method: toText(method).toUpperCase(), headers: pairs });
      const id = sent === null ? host.fetch(request) : host.fetch(request, sent.content);
      requests.set(id, { resolve, reject });
    });
  }

  function bodyOf(body) {
    if (typeof body === 'string') return { content: body, type: 'text/plain;charset=UTF-8' };
    if (body instanceof URLSearchParams)
      return { content: body.toString(), type: 'application/x-www-form-urlencoded;charset=UTF-8' };
    if (body instanceof ArrayBuffer) return { content: body };
    if (ArrayBuffer.isView(body)) return { content: body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength) };
    throw new TypeErrorType('the body of a request is a text, bytes or URLSearchParams');
  }

  class Response {
    #id;
    #used = false;
    constructor(id, { status, url, redirected, headers }) {
      this.#id = id;
      this.status = status;
      this.ok = status >= 200 && status < 300;
      this.url = url;
      this.redirected = redirected;
      this.headers = new Headers(headers);
    }
    #read(read) {
      if (this.#used) return PromiseType.reject(new TypeErrorType('the body was read already'));
      this.#used = true;
      try {
        return resolved(read(this.#id));
      } catch (thrown) {
        return PromiseType.reject(thrown);
      }
    }
    get bodyUsed() {
      return this.#used;
    }
    text() {
      return this.#read((id) => host.bodyText(id));
    }
    json() {
      return this.#read((id) => parse(host.bodyText(id)));
    }
    arrayBuffer() {
      return this.#read((id) => host.bodyBytes(id));
    }
  }

  function answerRequest(id, ok, text) {
    const request = requests.get(id);
    requests.delete(id);
    if (!request) return;
    if (ok) request.resolve(new Response(id, parse(text)));
    else request.reject(new TypeErrorType(text));
  }

  // The function

  let handler = null;

  /** @returns what is wrong with the module; empty: nothing */
  function load(body) {
    const module = { exports: {} };
    const require = (name) => {
      throw new ErrorType('require is not available in a plugin: ' + toText(name));
    };
    try {
      body.call(module.exports, module.exports, module, require);
      handler = module.exports?.handler;
    } catch (thrown) {
      return messageOf(thrown) || 'the module threw';
    }
    return typeof handler === 'function' ? '' : 'the bundle exports no function named handler';
  }

  function run(payload) {
    let result;
    try {
      result = handler(parse(payload));
    } catch (thrown) {
      return fail(thrown);
    }
    then(resolved(result), succeed, fail);
  }

  function succeed(value) {
    let text;
    try {
      text = stringify(value) ?? 'null';
    } catch (thrown) {
      const message = messageOf(thrown);
      return host.finish(false, isError(thrown) && thrown.name === 'InternalError' ? message : 'what it returned is no JSON: ' + message);
    }
    host.finish(true, text);
  }

  refuseEvaluation();
  const globals = {
    console, fetch, URL, URLSearchParams,
    setTimeout: (callback, ms, ...args) => startTimer(callback, ms, args, false),
    setInterval: (callback, ms, ...args) => startTimer(callback, ms, args, true),
    clearTimeout: stopTimer,
    clearInterval: stopTimer,
    queueMicrotask: (callback) => void then(then(resolved(), () => callback()), undefined, fail),
    crypto: { randomUUID: () => host.uuid() },
    TextEncoder: class TextEncoder {
      get encoding() {
        return 'utf-8';
      }
      encode(text = '') {
        return new Uint8Array(host.encode(toText(text)));
      }
    },
    btoa: (text) => host.base64(latin1(toText(text)), false),
    atob: (text) => host.base64(toText(text), true),
  };
  for (const name of Object.keys(globals)) put(globalThis, name, globals[name]);
  // The engine's own would begin at the same number in every invocation.
  put(Math, 'random', () => host.random());

  function latin1(text) {
    for (let place = 0; place < text.length; place += 1)
      if (charCode(text, place) > 255) throw new ErrorType('btoa takes characters of Latin-1 only');
    return text;
  }

  return (what, first, second, third) => {
    switch (what) {
      case 'load':
        return load(first);
      case 'run':
        return run(first);
      case 'fire':
        return fireTimer(first);
      case 'answer':
        return answerRequest(first, second, third);
    }
  };
});
