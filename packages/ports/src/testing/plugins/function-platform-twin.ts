import { randomUUID } from 'node:crypto';
import { createContext, Script } from 'node:vm';
import { coversHost } from '@sluice/contracts';
import { functionAnswerDepth, type FunctionBounds, functionBounds } from '../../plugins/function-bounds';
import type {
  FunctionDeployed, FunctionAnswer, FunctionCall, FunctionLogLevel, FunctionLogLine, FunctionName, FunctionPlatform, FunctionRun,
} from '../../plugins/function-platform';
import { createMemoryFunctionCode } from './memory-function-code';

/**
 * Twin of the function platform: runs functions inside the process of the test, which it does not protect from them. Bounds of
 * time and memory are not enforced.
 */
export class FunctionPlatformTwin implements FunctionPlatform {
  private readonly store = createMemoryFunctionCode();
  /** Calls in their order, for tests. */
  readonly calls: FunctionCall[] = [];
  /** Thrown by every method while it is set. */
  unavailable: Error | null = null;

  constructor(private readonly bounds: FunctionBounds = functionBounds) {}

  arnOf({ organizationId, pluginId, developerId }: FunctionName): string {
    return `arn:sluice:twin:function:${organizationId}-${pluginId}${developerId === null ? '' : `-dev-${developerId}`}`;
  }

  async deploy(name: FunctionName, code: string): Promise<FunctionDeployed> {
    this.check();
    const loaded = load(code, noHost);
    if (!loaded.ok) return loaded;
    await this.store.putLatest({ functionArn: this.arnOf(name), organizationId: name.organizationId }, code);
    return { ok: true };
  }

  async publish(name: FunctionName, code: string, operation: string): ReturnType<FunctionPlatform['publish']> {
    this.check();
    const loaded = load(code, noHost);
    if (!loaded.ok) return loaded;
    const fn = { functionArn: this.arnOf(name), organizationId: name.organizationId };
    return { ok: true, version: await this.store.publish(fn, code, operation) };
  }

  async remove(name: FunctionName): Promise<void> {
    this.check();
    await this.store.remove(this.arnOf(name));
  }

  async has({ functionArn, qualifier, organizationId }: Parameters<FunctionPlatform['has']>[0]): Promise<boolean> {
    this.check();
    return (await this.store.find(functionArn, qualifier))?.organizationId === organizationId;
  }

  async invoke(call: FunctionCall): Promise<FunctionAnswer> {
    this.check();
    this.calls.push(call);
    const version = await this.store.find(call.functionArn, call.qualifier);
    const code = version?.organizationId === call.organizationId ? await this.store.code(version) : null;
    return code === null ? { kind: 'missing' } : invoke(code, call, this.bounds);
  }

  async close(): Promise<void> {}

  private check(): void {
    if (this.unavailable) throw this.unavailable;
  }
}

/** What the module may use of its surroundings. */
interface Host {
  log(level: FunctionLogLevel, message: string): void;
  fetch(url: string, init?: RequestInit): Promise<Response>;
}

const noHost: Host = { log: () => undefined, fetch: () => Promise.reject(new Error('fetch works within a call only')) };
type Handler = (payload: unknown) => unknown;

function load(code: string, host: Host): { ok: true; handler: Handler } | { ok: false; message: string } {
  const module = { exports: {} as { handler?: unknown } };
  const require = (name: string): never => {
    throw new Error(`require is not available: ${name}`);
  };
  const globals = createContext({
    module, exports: module.exports, require, fetch: host.fetch, console: consoleOf(host), crypto: { randomUUID },
    setTimeout, clearTimeout, TextEncoder, URL, atob, btoa,
  });
  try {
    new Script(code).runInContext(globals);
  } catch (error) {
    return { ok: false, message: messageOf(error) };
  }
  const { handler } = module.exports;
  return typeof handler === 'function'
    ? { ok: true, handler: handler as Handler }
    : { ok: false, message: 'the bundle exports no function named handler' };
}

async function invoke(code: string, { payload, grants }: FunctionCall, bounds: FunctionBounds): Promise<FunctionAnswer> {
  const logs: FunctionLogLine[] = [];
  const startedAt = performance.now();
  let logsDropped = 0;
  const mask = (text: string): string => grants.secrets.reduce((rest, { value }) => rest.replaceAll(value, '***'), text);
  const log: Host['log'] = (level, message) => {
    if (logs.length >= bounds.logLines) logsDropped += 1;
    else logs.push({ at: Date.now(), level, message: mask(message).slice(0, bounds.logLineBytes) });
  };
  const runOf = (): FunctionRun => ({ logs, logsDropped, durationMs: performance.now() - startedAt, memoryMb: 1 });
  const fetchWithin: Host['fetch'] = async (url, init) => {
    const target = URL.canParse(url) ? new URL(url) : null;
    if (!target?.protocol.startsWith('http')) throw new Error('only http and https URLs can be called');
    if (!coversHost(grants.hosts, target)) throw new Error(`${target.hostname} is not covered by the http capability`);
    const sent = JSON.stringify(init ?? {});
    if (grants.secrets.some(({ value, origin }) => sent.includes(value) && origin !== target.origin))
      throw new Error('a granted header may not go to this origin');
    return fetch(url, init);
  };
  const loaded = load(code, { log, fetch: fetchWithin });
  if (!loaded.ok) return { kind: 'threw', message: loaded.message, ...runOf() };
  try {
    const text = JSON.stringify(await loaded.handler(JSON.parse(JSON.stringify(payload)))) ?? 'null';
    if (Buffer.byteLength(text) > bounds.responseBytes) return overResponse('the answer is longer than 1 MiB', runOf());
    const value: unknown = JSON.parse(text);
    if (depthOf(value) > functionAnswerDepth)
      return overResponse(`the answer is nested more than ${functionAnswerDepth} deep`, runOf());
    return { kind: 'returned', value, ...runOf() };
  } catch (error) {
    return { kind: 'threw', message: mask(messageOf(error)), ...runOf() };
  }
}

const overResponse = (message: string, run: FunctionRun): FunctionAnswer =>
  ({ kind: 'limit', limit: 'response', message, ...run });

const depthOf = (value: unknown): number =>
  value === null || typeof value !== 'object' ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf));

function consoleOf({ log }: Host): Record<string, (...values: unknown[]) => void> {
  const at = (level: FunctionLogLevel) => (...values: unknown[]): void => log(level, values.map(textOf).join(' '));
  return { log: at('info'), debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return isError(value) ? `${value.name}: ${value.message}` : (JSON.stringify(value) ?? String(value));
};

/** Errors of the module are of another realm. */
const isError = (value: unknown): value is Error => Object.prototype.toString.call(value) === '[object Error]';

function messageOf(error: unknown): string {
  return isError(error) ? `${error.name}: ${error.message}` : textOf(error);
}
