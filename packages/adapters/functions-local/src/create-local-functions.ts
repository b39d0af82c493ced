import { createHash } from 'node:crypto';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import {
  type FunctionAnswer, functionAnswerDepth, type FunctionBounds, functionBounds, type FunctionCall, type FunctionCodeStore,
  type FunctionName, type FunctionPlatform, FunctionPlatformUnavailable, type FunctionRun, isNestedDeeper, type Logger,
  secretMask, type StoredFunctionVersion, StoreUnavailable,
} from '@sluice/ports';
import { createRestClient, type RestClient, type RestClientOptions } from '@sluice/rest-client';
import { LRUCache } from 'lru-cache';
import { HostFetch, type HostFetchOptions } from './fetch/host-fetch';
import { FunctionPool, type PoolAnswer } from './pool/function-pool';
import type { ChildEnd } from './pool/guest-child';
import type { ChildScript } from './pool/spawn-child';

/** Answers the requests of functions. */
export type FunctionClient = RestClient;

export interface LocalFunctionsOptions {
  store: FunctionCodeStore;
  logger: Logger;
  /** Whether functions may call private addresses. */
  allowPrivateTargets: boolean;
  /** Addresses and networks that no function calls, also where private ones are allowed. */
  deniedTargets?: readonly string[];
  bounds?: Partial<FunctionBounds>;
  /** Children at once in this process, and of one organization. */
  maxChildren?: number;
  maxPerOrganization?: number;
  /** Invocations of one organization that may wait for a child. */
  maxWaiting?: number;
  /** MiB that one child may use in all. */
  childMemoryMb?: number;
  /** How long an invocation may wait for a child, and how long a child stays without work. Milliseconds. */
  waitMs?: number;
  idleMs?: number;
  /** Bytes a second that the functions of one organization may exchange with a service whose event loop is busy. */
  bytesPerSecond?: number;
  /** Milliseconds a second that they may compute meanwhile. */
  computeMsPerSecond?: number;
  /** For tests: whether the event loop is busy. */
  isLoopBusy?(): boolean;
  /** Longest request of a function. Milliseconds. */
  fetchTimeoutMs?: number;
  /** In place of the network: answers that were recorded. What is granted is checked all the same. */
  client?: FunctionClient;
  /** For tests that run from the sources: another script of the child. */
  script?: ChildScript;
  /** For tests: another name lookup. */
  resolve?: RestClientOptions['resolve'];
}

const prefix = 'arn:sluice:local:function:';
/** Which code a published version has; it never changes. */
const keptVersions = 10_000;
const busyRetryMs = 2_000;
const defaultBytesPerSecond = 1024 * 1024;
/** Of each processor: a fortieth. */
const defaultComputeMs = 25;
/** As many as a flow runner has events under way: a burst of events waits in memory, and none of it is held. */
const defaultWaiting = 4_000;
/** Beside the value a frame has the log, and the head. */
const frameOverhead = 4 * 1024 * 1024;
/** A payload holds an event (10 MiB at most) with the outputs of steps. */
const maxPayloadBytes = 32 * 1024 * 1024;

/** The platform of this installation itself. Warm instances live in children of this process; their code is in the store. */
export function createLocalFunctions(options: LocalFunctionsOptions): FunctionPlatform & { pool: FunctionPool } {
  const bounds = { ...functionBounds, ...options.bounds };
  const client = options.client ?? createRestClient({
    allowPrivateTargets: options.allowPrivateTargets, deniedTargets: options.deniedTargets ?? [], maxBytes: bounds.fetchBytes,
    resolve: options.resolve,
  });
  const pool = createPool(options, bounds);
  const fetching: HostFetchOptions = { client, bounds, timeoutMs: options.fetchTimeoutMs ?? 7_000 };
  const versions = new LRUCache<string, StoredFunctionVersion>({ max: keptVersions });
  const { store } = options;

  const check = async ({ organizationId }: FunctionName, code: string): Promise<string | null> => {
    const loaded = await pool.load({ organizationId, key: sha256(code), code: () => Promise.resolve(code) });
    if (loaded.kind === 'busy' || loaded.kind === 'gone')
      throw new FunctionPlatformUnavailable('no process can evaluate the code now');
    return loaded.kind === 'problem' ? loaded.message : null;
  };
  const find = async ({ functionArn, qualifier, organizationId }: Wanted): Promise<StoredFunctionVersion | null> => {
    const key = `${functionArn}/${qualifier}`;
    const version = versions.get(key) ?? (await store.find(functionArn, qualifier));
    if (version && qualifier !== '$LATEST') versions.set(key, version);
    return version?.organizationId === organizationId ? version : null;
  };
  const arnOf = ({ organizationId, pluginId, developerId }: FunctionName): string =>
    `${prefix}${organizationId}-${pluginId}${developerId === null ? '' : `-dev-${developerId}`}`;
  const stored = (name: FunctionName) => ({ functionArn: arnOf(name), organizationId: name.organizationId });
  return {
    pool,
    arnOf,
    deploy: (name, code) => guarded(async () => {
      const message = await check(name, code);
      if (message !== null) return { ok: false, message };
      await store.putLatest(stored(name), code);
      return { ok: true };
    }),
    publish: (name, code, operation) => guarded(async () => {
      const message = await check(name, code);
      if (message !== null) return { ok: false, message };
      return { ok: true, version: await store.publish(stored(name), code, operation) };
    }),
    remove: (name) => guarded(() => {
      const { functionArn } = stored(name);
      for (const key of versions.keys()) if (key.startsWith(`${functionArn}/`)) versions.delete(key);
      return store.remove(functionArn);
    }),
    has: (call) => guarded(async () => (await find(call)) !== null),
    invoke: (call) => guarded(async () => {
      const version = await find(call);
      return version ? invoke({ pool, store, fetching }, call, version) : { kind: 'missing' };
    }),
    close: async () => {
      await pool.close();
      await client.close();
    },
  };
}

type Wanted = Parameters<FunctionPlatform['has']>[0];

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Failures of the store are failures of the platform. */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreUnavailable) throw new FunctionPlatformUnavailable('the store of code does not answer');
    throw error;
  }
}

function createPool(options: LocalFunctionsOptions, bounds: FunctionBounds): FunctionPool {
  const { childMemoryMb = 768, maxChildren = Math.max(4, 2 * cpus().length) } = options;
  return new FunctionPool({
    script: options.script ?? { file: join(__dirname, 'sandbox', 'main.js'), execArgv: [], args: [] },
    child: {
      bounds, maxFrameBytes: maxPayloadBytes + frameOverhead, memoryMb: childMemoryMb,
      // The heap and code of Node, and the memories of instances, which are reserved up to their maximum.
      addressSpaceMb: 2_048 + childMemoryMb + 32 * bounds.memoryMb, cpuSeconds: 7_200,
    },
    maxFrameBytes: Math.max(bounds.responseBytes, bounds.fetchBytes) + bounds.logLines * bounds.logLineBytes * 2 + frameOverhead,
    maxChildren, maxPerOrganization: options.maxPerOrganization ?? 2, wallMs: bounds.wallMs,
    bytesPerSecond: options.bytesPerSecond ?? defaultBytesPerSecond,
    computeMsPerSecond: options.computeMsPerSecond ?? defaultComputeMs * availableParallelism(), isLoopBusy: options.isLoopBusy,
    waitMs: options.waitMs ?? 10_000, idleMs: options.idleMs ?? 300_000,
    queue: { perOrganization: { items: options.maxWaiting ?? defaultWaiting, bytes: maxPayloadBytes }, bytes: 128 * 1024 * 1024 },
    logger: options.logger,
  });
}

interface Parts {
  pool: FunctionPool;
  store: FunctionCodeStore;
  fetching: HostFetchOptions;
}

async function invoke(
  { pool, store, fetching }: Parts, call: FunctionCall, version: StoredFunctionVersion,
): Promise<FunctionAnswer> {
  const payload = Buffer.from(JSON.stringify(call.payload) ?? 'null', 'utf8');
  const mask = secretMask(call.grants.secrets.map(({ value }) => value));
  if (payload.length > maxPayloadBytes)
    return { kind: 'threw', message: `its payload is longer than ${maxPayloadBytes / 1_048_576} MiB`, ...nothingRun };
  const answer = await pool.run({
    organizationId: call.organizationId, key: version.sha256, payload,
    request: new HostFetch(fetching, call).request,
    code: async () => {
      const code = await store.code(version);
      if (code === null) throw new FunctionPlatformUnavailable('the code of the function is gone');
      return code;
    },
  });
  return answerOf(answer, mask, fetching.bounds);
}

const nothingRun: FunctionRun = { logs: [], logsDropped: 0, durationMs: 0, memoryMb: 0 };

function answerOf(answer: PoolAnswer, mask: (text: string) => string, bounds: FunctionBounds): FunctionAnswer {
  switch (answer.kind) {
    case 'busy':
      return { kind: 'busy', retryAfterMs: busyRetryMs };
    case 'problem':
      return { kind: 'threw', message: mask(answer.message), ...nothingRun };
    case 'gone':
      // Alone in a process that hung, it is what the process hung in.
      return answer.hung && answer.alone
        ? { kind: 'limit', limit: 'time', message: 'it took longer than it may, and its process was ended', ...nothingRun }
        : { kind: 'interrupted', message: `the process that ran it ended: ${answer.reason}` };
    case 'threw':
      return { kind: 'threw', message: mask(answer.message), ...runOf(answer, mask) };
    case 'limit':
      return { kind: 'limit', limit: answer.limit, message: answer.message, ...runOf(answer, mask) };
    case 'returned':
      return returned(answer, runOf(answer, mask), bounds);
  }
}

type Ended = Exclude<ChildEnd, { kind: 'gone' }>;

const runOf = ({ logs, dropped, ms, mb }: Ended, mask: (text: string) => string): FunctionRun => ({
  logs: logs.map((line) => ({ ...line, message: mask(line.message) })), logsDropped: dropped, durationMs: ms, memoryMb: mb,
});

/** Without keys that copying would make a prototype. A reviver takes ten times as long, and the answers of a flood are many. */
function parsed(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (text.includes('"__proto__"') || text.includes('\\u')) dropPrototypeKeys(value);
  return value;
}

/** Its nesting is bounded. */
function dropPrototypeKeys(value: unknown): void {
  if (value === null || typeof value !== 'object') return;
  if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
  for (const one of Object.values(value)) dropPrototypeKeys(one);
}

/** The child checked the bounds too; it is not believed. */
function returned({ text }: Extract<Ended, { kind: 'returned' }>, run: FunctionRun, bounds: FunctionBounds): FunctionAnswer {
  const over = (message: string): FunctionAnswer => ({ kind: 'limit', limit: 'response', message, ...run });
  if (Buffer.byteLength(text) > bounds.responseBytes)
    return over(`its answer is longer than ${bounds.responseBytes / 1_048_576} MiB of JSON`);
  if (isNestedDeeper(text, functionAnswerDepth)) return over(`its answer is nested more than ${functionAnswerDepth} deep`);
  try {
    return { kind: 'returned', value: parsed(text), ...run };
  } catch {
    return { kind: 'threw', message: 'what it returned is no JSON', ...run };
  }
}
