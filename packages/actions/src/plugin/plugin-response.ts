import type { StepOutput } from '@sluice/flow-engine';

/** A value that a plugin writes into its store. */
export interface StoreWrite {
  key: string;
  value: unknown;
  /** null: kept as long as the connector. */
  ttlSeconds: number | null;
}

/** What a plugin returned, read by its reserved keys. */
export interface PluginResponse {
  action: 'continue' | 'skip' | 'retry';
  /** With `retry`: the event waits at the back of the queue. */
  requeue: boolean;
  /** The plugin declared that the target refused the record. */
  isRefused: boolean;
  reason: string | null;
  writes: readonly StoreWrite[];
  /** The whole response. */
  output: StepOutput;
}

export type ReadResponse = { ok: true; response: PluginResponse } | { ok: false; problem: string };

class ResponseProblem extends Error {}

/**
 * Reads what a handler returned (docs/reference/plugins.md, The response). null is an empty object.
 * @param mayStore whether the plugin may write to its store; without the grant `store_writes` is ignored
 */
export function readPluginResponse(value: unknown, mayStore: boolean): ReadResponse {
  try {
    return { ok: true, response: responseOf(value ?? {}, mayStore) };
  } catch (error) {
    if (!(error instanceof ResponseProblem)) throw error;
    return { ok: false, problem: error.message };
  }
}

function responseOf(value: unknown, mayStore: boolean): PluginResponse {
  if (!isObject(value)) throw new ResponseProblem('a plugin returns an object or null');
  return {
    action: oneOf(value, 'action', ['continue', 'skip', 'retry'] as const) ?? 'continue',
    requeue: typed(value, 'requeue', 'boolean') ?? false,
    isRefused: oneOf(value, 'outcome', ['failed'] as const) !== undefined,
    reason: typed(value, 'reason', 'string') ?? null,
    writes: mayStore ? writesOf(value) : [],
    output: value,
  };
}

interface Types {
  boolean: boolean;
  string: string;
}

function typed<T extends keyof Types>(response: StepOutput, key: string, type: T): Types[T] | undefined {
  const value = own(response, key);
  if (value === undefined) return undefined;
  if (typeof value !== type) throw new ResponseProblem(`${key} is a ${type === 'string' ? 'text' : type}`);
  return value as Types[T];
}

function oneOf<const T extends string>(response: StepOutput, key: string, options: readonly T[]): T | undefined {
  const value = own(response, key);
  if (value === undefined) return undefined;
  const found = options.find((option) => option === value);
  if (found === undefined) throw new ResponseProblem(`${key} is ${options.join(', ')}`);
  return found;
}

function writesOf(response: StepOutput): StoreWrite[] {
  const list = own(response, 'store_writes');
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw new ResponseProblem('store_writes is a list');
  return list.map((entry: unknown, index) => {
    const at = `store_writes[${index}]`;
    if (!isObject(entry)) throw new ResponseProblem(`${at} is an object with key and value`);
    const { key, value = null, ttl_seconds: ttl } = entry;
    if (typeof key !== 'string' || key === '') throw new ResponseProblem(`${at}.key is a text that is not empty`);
    if (ttl === undefined || ttl === null) return { key, value, ttlSeconds: null };
    if (typeof ttl !== 'number' || !(ttl > 0) || ttl > longestTtlSeconds)
      throw new ResponseProblem(`${at}.ttl_seconds is a number of seconds above 0`);
    return { key, value, ttlSeconds: ttl };
  });
}

/** A hundred years. A date beyond what the store can hold would fail the event again and again. */
const longestTtlSeconds = 3_155_760_000;

const own = (response: StepOutput, key: string): unknown => (Object.hasOwn(response, key) ? response[key] : undefined);

const isObject = (value: unknown): value is StepOutput =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
