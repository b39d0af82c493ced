import type { CallOptions, CrmErrorBody, CrmRate, CrmResult } from '@sluice/ports';
import { Agent, request } from 'undici';
import { classifyAnswer, retryAfterMs } from './classify';

/** One request of the wire, before it is sent. */
export interface WireRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  accessToken?: string;
  json?: unknown;
  form?: Record<string, string>;
}

export type WireCall = <T>(call: WireRequest, options: CallOptions) => Promise<CrmResult<T>>;

/** The largest answer read into memory: a full batch of 100 wide records stays far below it. */
const answerLimitBytes = 32 * 1024 * 1024;

function rateOf(headers: Record<string, string | string[] | undefined>): CrmRate | undefined {
  const read = (name: string): number => Number(headers[`x-hubspot-ratelimit-${name}`] ?? Number.NaN);
  const [max, remaining, intervalMs] = [read('max'), read('remaining'), read('interval-milliseconds')];
  return Number.isFinite(max) && Number.isFinite(remaining) && Number.isFinite(intervalMs) ? { max, remaining, intervalMs } : undefined;
}

function parseJson(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    // A proxy's HTML page in place of JSON: the status alone decides, the text is of no use to anyone.
    return undefined;
  }
}

function bodyOf(call: WireRequest): { body?: string; type?: string } {
  if (call.form) return { body: new URLSearchParams(call.form).toString(), type: 'application/x-www-form-urlencoded' };
  return call.json === undefined ? {} : { body: JSON.stringify(call.json), type: 'application/json' };
}

/**
 * Builds the function that sends one call and answers a value for everything that can happen on the way:
 * an answer, a cut connection, a timeout (both transient: the outcome of a write is then unknown).
 */
export function createWireCall(baseUrl: string, agent: Agent): WireCall {
  return async <T>(call: WireRequest, options: CallOptions): Promise<CrmResult<T>> => {
    const { body, type } = bodyOf(call);
    const timeout = AbortSignal.timeout(options.timeoutMs);
    try {
      const answer = await request(baseUrl + call.path, {
        dispatcher: agent,
        method: call.method,
        headers: {
          accept: 'application/json',
          ...options.headers,
          ...(type ? { 'content-type': type } : {}),
          ...(call.accessToken ? { authorization: `Bearer ${call.accessToken}` } : {}),
        },
        body: body ?? null,
        signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      });
      const rate = rateOf(answer.headers);
      const parsed = parseJson(await answer.body.text());
      const extra = { status: answer.statusCode, ...(rate ? { rate } : {}) };
      if (answer.statusCode >= 200 && answer.statusCode < 300) return { ok: true, value: parsed as T, ...extra };
      const wireBody = (parsed ?? undefined) as CrmErrorBody | undefined;
      const wait = retryAfterMs(answer.headers['retry-after'] as string | undefined, Date.now());
      return { ...classifyAnswer(answer.statusCode, wireBody, wait), ...extra, ...(wireBody ? { body: wireBody } : {}) };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const code = timeout.aborted ? 'crm_timeout' : 'crm_unreachable';
      return { ok: false, kind: 'transient', code, message: timeout.aborted ? `no answer from the CRM within ${options.timeoutMs} ms` : message, status: 0 };
    }
  };
}

/** A connection pool for the CRM: bounded sockets, bounded answers. */
export function createCrmAgent(connections: number): Agent {
  return new Agent({ connections, keepAliveTimeout: 30_000, connect: { timeout: 5_000 }, maxResponseSize: answerLimitBytes });
}
