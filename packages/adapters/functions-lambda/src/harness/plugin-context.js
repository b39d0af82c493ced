/** The globals of a plugin for one invocation, and what it leaves behind: its log, and work that ends with the invocation. */
'use strict';
const { randomUUID } = require('node:crypto');
const { createContext, runInContext } = require('node:vm');
const { PluginFetch } = require('./plugin-fetch.js');

const longestLine = 8_192;

class PluginContext {
  logs = [];
  dropped = 0;
  #timers = new Set();
  #fetching;
  #scope;
  #bounds;
  #globals;
  #fail;

  /** @param scope hosts, secrets and the forms in which they are masked; @param bounds of this invocation */
  constructor(scope, bounds) {
    [this.#scope, this.#bounds] = [scope, bounds];
    this.#fetching = new PluginFetch(scope, bounds);
    this.failed = new Promise((_, reject) => (this.#fail = reject));
    this.timeOver = new Promise((_, reject) => {
      if (bounds.wallMs !== undefined) this.#start(setTimeout(() => reject(timeOver(bounds.wallMs)), bounds.wallMs));
    });
    for (const promise of [this.failed, this.timeOver]) promise.catch(() => undefined);
    this.#globals = createContext(this.#values(), { codeGeneration: { strings: false, wasm: false } });
  }

  /** Evaluates the module. @returns its handler. Throws what the module throws, and where it exports no handler. */
  load(script) {
    const module = { exports: {} };
    Object.assign(this.#globals, { module, exports: module.exports });
    script.runInContext(this.#globals);
    const handler = module.exports?.handler;
    if (typeof handler !== 'function') throw new Error('the bundle exports no function named handler');
    return handler;
  }

  /** A copy of a value that has the types of this context. */
  value(payload) {
    return runInContext('JSON', this.#globals).parse(JSON.stringify(payload) ?? 'null');
  }

  /** JSON of what the handler returned. */
  textOf(result) {
    try {
      return JSON.stringify(result) ?? 'null';
    } catch (thrown) {
      throw new Error(`what it returned is no JSON: ${messageOf(thrown)}`);
    }
  }

  /** Ends timers and requests: Lambda keeps the process for the next invocation. */
  end() {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#fetching.end();
  }

  #start(timer) {
    this.#timers.add(timer);
    return timer;
  }

  #values() {
    const log = (level) => (...values) => this.#log(level, values.map(textOf).join(' '));
    const guarded = (callback, args) => () => {
      try {
        callback(...args);
      } catch (thrown) {
        this.#fail(thrown);
      }
    };
    const stop = (timer) => {
      clearTimeout(timer);
      this.#timers.delete(timer);
    };
    return {
      console: {
        debug: log('debug'), trace: log('debug'), log: log('info'), info: log('info'), warn: log('warn'), error: log('error'),
      },
      fetch: (url, init) => this.#fetching.fetch(url, init),
      require: (name) => {
        throw new Error(`require is not available in a plugin: ${name}`);
      },
      setTimeout: (callback, ms, ...args) => this.#start(setTimeout(guarded(callback, args), ms)),
      setInterval: (callback, ms, ...args) => this.#start(setInterval(guarded(callback, args), ms)),
      clearTimeout: stop, clearInterval: stop,
      queueMicrotask: (callback) => queueMicrotask(guarded(callback, [])),
      crypto: { randomUUID: () => randomUUID() },
      TextEncoder, TextDecoder, URL, URLSearchParams, atob, btoa,
    };
  }

  /** Kept for the answer, and printed for the log of Lambda, whose end is all that is left of an invocation that was ended. */
  #log(level, text) {
    const { logLines, logLineBytes } = this.#bounds;
    if (this.logs.length >= logLines) {
      this.dropped += 1;
      return;
    }
    const message = cut(this.#mask(text.slice(0, longestLine)), logLineBytes);
    const line = { at: Date.now(), level, message };
    this.logs.push(line);
    process.stdout.write(`${JSON.stringify({ plugin: line })}\n`);
  }

  #mask(text) {
    return this.#scope.masks.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
  }
}

function timeOver(wallMs) {
  return Object.assign(new Error(`it took longer than ${wallMs / 1_000} s`), { limit: 'time' });
}

function cut(text, bytes) {
  if (Buffer.byteLength(text) <= bytes) return text;
  const end = Buffer.from(text, 'utf8').subarray(0, bytes).toString('utf8');
  return end.replace(/\ufffd+$/, '');
}

/** Errors of a plugin are of its own context. */
const isError = (value) => value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';

/** What a thrown value says, without a stack. */
function messageOf(thrown) {
  try {
    if (isError(thrown)) return thrown.name === 'Error' ? String(thrown.message) : `${thrown.name}: ${thrown.message}`;
    return textOf(thrown);
  } catch {
    return 'it threw a value that cannot be shown';
  }
}

/** A value in a line of the log. */
function textOf(value) {
  if (typeof value === 'string') return value;
  if (isError(value)) return `${value.name}: ${value.message}`;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return 'a value that cannot be shown';
  }
}

module.exports = { messageOf, PluginContext };
