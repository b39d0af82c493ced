import { randomUUID } from 'node:crypto';
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';
import { endOfThrown, type Invocation } from './invocation';

/** Characters of a text that the guest passes to the sandbox. */
const maxText = 8 * 1024 * 1024;

/** A refusal that the guest sees as an exception. */
class Refusal extends Error {}

type Value = string | number | Buffer | undefined;
type HostCall = (args: readonly QuickJSHandle[]) => Value;

/** What the calls of the guest need of its instance. */
export interface HostContext {
  ctx: QuickJSContext;
  /** The invocation under way; null: there is none, as while the module is evaluated. */
  invocation(): Invocation | null;
  maxResponseBytes: number;
  /** Whether the memory has grown to its bound. */
  isFull(): boolean;
}

/** The object of calls that `guest.js` takes. */
export function hostObject(host: HostContext): QuickJSHandle {
  const { ctx } = host;
  const object = ctx.newObject();
  for (const [name, call] of Object.entries(hostCalls(host))) {
    const handle = ctx.newFunction(name, (...args) => {
      try {
        return toGuest(ctx, call(args));
      } catch (error) {
        return { error: ctx.newError(error instanceof Refusal ? error.message : 'the call failed') };
      }
    });
    ctx.setProp(object, name, handle);
    handle.dispose();
  }
  return object;
}

function toGuest(ctx: QuickJSContext, value: Value): QuickJSHandle {
  if (value === undefined) return ctx.undefined;
  if (typeof value === 'string') return ctx.newString(value);
  if (typeof value === 'number') return ctx.newNumber(value);
  // A copy: the buffer may be a part of a larger one.
  return ctx.newArrayBuffer(Uint8Array.from(value).buffer);
}

function hostCalls(host: HostContext): Record<string, HostCall> {
  const { ctx } = host;
  const text = (handle: QuickJSHandle | undefined): string => textOf(ctx, handle);
  const number = (handle: QuickJSHandle | undefined): number => (handle ? ctx.getNumber(handle) : NaN);
  const current = (what: string): Invocation => {
    const invocation = host.invocation();
    if (!invocation) throw new Refusal(`${what} works within a call of the handler only`);
    return invocation;
  };
  return {
    ...endCalls(host, current),
    log: ([level, line]) => host.invocation()?.log(number(level), text(line)) as undefined,
    timer: ([ms, id]) => {
      const timer = current('setTimeout').startTimer(number(ms), id && number(id));
      if (timer === null) throw new Refusal('too many timers');
      return timer;
    },
    untimer: ([id]) => host.invocation()?.stopTimer(number(id)) as undefined,
    fetch: ([head, body]) => {
      const invocation = current('fetch');
      const request = invocation.request({ head: text(head), body: bodyOf(ctx, body) });
      if (typeof request === 'string') throw new Refusal(request);
      return request;
    },
    bodyText: ([call]) => current('fetch').body(number(call)).toString('utf8'),
    bodyBytes: ([call]) => current('fetch').body(number(call)),
    url: ([url, base]) => partsOf(text(url), text(base)),
    urlWith: ([href, name, value]) => changedParts(text(href), text(name), text(value)),
    parseQuery: ([query]) => JSON.stringify([...new URLSearchParams(text(query))]),
    formatQuery: ([pairs]) => new URLSearchParams(JSON.parse(text(pairs)) as [string, string][]).toString(),
    uuid: () => randomUUID(),
    random: () => Math.random(),
    encode: ([given]) => Buffer.from(text(given), 'utf8'),
    base64: ([given, decode]) => base64(text(given), ctx.dump(decode!) === true),
  };
}

function endCalls(host: HostContext, current: (what: string) => Invocation): Record<string, HostCall> {
  return {
    finish: ([ok, answer]) => {
      const { ctx } = host;
      const invocation = current('finish');
      const succeeded = ctx.dump(ok!) === true;
      // Of a message only the beginning is kept.
      if (!succeeded) invocation.end(endOfThrown(textOf(ctx, answer).slice(0, 8_192), host.isFull()));
      else if (lengthOf(ctx, answer!) > host.maxResponseBytes) invocation.end(tooLong(host.maxResponseBytes));
      else invocation.end({ kind: 'returned', text: textOf(ctx, answer) });
      return undefined;
    },
  };
}

const tooLong = (bytes: number) =>
  ({ kind: 'limit', limit: 'response', message: `its answer is longer than ${bytes / 1_048_576} MiB of JSON` }) as const;

function lengthOf(ctx: QuickJSContext, handle: QuickJSHandle): number {
  const length = ctx.getProp(handle, 'length');
  const count = ctx.getNumber(length);
  length.dispose();
  return count;
}

/** A text of the guest, whose length is looked at before it is copied. */
function textOf(ctx: QuickJSContext, handle: QuickJSHandle | undefined): string {
  if (handle === undefined || ctx.typeof(handle) !== 'string') return '';
  if (lengthOf(ctx, handle) > maxText) throw new Refusal('the text is too long');
  return ctx.getString(handle);
}

function bodyOf(ctx: QuickJSContext, handle: QuickJSHandle | undefined): Buffer | null {
  if (handle === undefined) return null;
  if (ctx.typeof(handle) === 'string') return Buffer.from(textOf(ctx, handle), 'utf8');
  const bytes = ctx.getArrayBuffer(handle);
  const copy = Buffer.from(bytes.value);
  bytes.dispose();
  return copy;
}

const partNames = [
  'href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash',
] as const;

function partsOf(url: string, base: string): string {
  const given = base === '' ? undefined : base;
  return URL.canParse(url, given) ? partsText(new URL(url, given)) : '';
}

function changedParts(href: string, name: string, value: string): string {
  const part = partNames.find((one) => one === name);
  if (!URL.canParse(href) || part === undefined || part === 'origin') return '';
  if (part === 'href' && !URL.canParse(value)) return '';
  const url = new URL(href);
  url[part] = value;
  return partsText(url);
}

const partsText = (url: URL): string => JSON.stringify(Object.fromEntries(partNames.map((name) => [name, url[name]])));

function base64(text: string, decode: boolean): string {
  if (!decode) return Buffer.from(text, 'latin1').toString('base64');
  const compact = text.replace(/[\t\n\f\r ]/g, '');
  const body = compact.length % 4 === 0 ? compact.replace(/={1,2}$/, '') : compact;
  if (!/^[A-Za-z0-9+/]*$/.test(body) || body.length % 4 === 1) throw new Refusal('atob takes base64 only');
  return Buffer.from(body, 'base64').toString('latin1');
}
