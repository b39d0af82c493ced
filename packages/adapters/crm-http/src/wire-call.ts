import { retryAfterMs, type CallOptions, type CrmErrorBody, type CrmRate, type CrmResult, type FailureCode } from '@sluice/ports';
import { isUnsent } from '@sluice/rest-client';
import { Agent, request } from 'undici';
import { classifyAnswer } from './classify';

/** One request of the wire, before it is sent. */
export interface WireRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  accessToken?: string;
  json?: unknown;
  form?: Record<string, string>;
  /** A body that is already encoded. */
  raw?: { bytes: Buffer; type: string };
  /** Further texts of this request that no answer may show. */
  secrets?: string[];
  /**
   * Whether the caller can use the body of a 2xx. A proxy's page must not count as an empty answer: that would read as "no such
   * record".
   */
  readable(body: Partial<Record<string, unknown>>): boolean;
}

export type WireCall = <T>(call: WireRequest, options: CallOptions) => Promise<CrmResult<T>>;

/** Answers that list something. */
export const hasResults: WireRequest['readable'] = (body) => Array.isArray(body['results']);
/** Answers without a needed body. */
export const anything: WireRequest['readable'] = () => true;

/** The largest answer read into memory: a full batch of 100 wide records stays far below it. */
const answerLimitBytes = 32 * 1024 * 1024;

function rateOf(headers: Record<string, string | string[] | undefined>): CrmRate | undefined {
  const read = (name: string): number => Number(headers[`x-hubspot-ratelimit-${name}`] ?? Number.NaN);
  const [max, remaining, intervalMs] = [read('max'), read('remaining'), read('interval-milliseconds')];
  return Number.isFinite(max) && Number.isFinite(remaining) && Number.isFinite(intervalMs)
    ? { max, remaining, intervalMs }
    : undefined;
}

/** The JSON object of an answer; undefined for an empty one, or a proxy's page in its place. */
function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = text === '' ? undefined : JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : undefined;
  } catch {
    // Not JSON: only the status is used, not the text.
    return undefined;
  }
}

function bodyOf(call: WireRequest): { body?: string | Buffer; type?: string } {
  if (call.raw) return { body: call.raw.bytes, type: call.raw.type };
  if (call.form) return { body: new URLSearchParams(call.form).toString(), type: 'application/x-www-form-urlencoded' };
  return call.json === undefined ? {} : { body: JSON.stringify(call.json), type: 'application/json' };
}

/** Masks the secrets of a request in messages, because the CRM may repeat them in its errors. */
function masker({ accessToken, secrets = [] }: WireRequest): (text: string) => string {
  // Longest first: one may be a part of another.
  const known = [...secrets, accessToken ?? ''].filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  return (text) => known.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
}

/** Path segments that URLs remove: `/a/../b` is sent as `/b` (RFC 3986, 5.2.4), also with percent-encoded dots. */
const lostPart = /^(?:\.|%2e){0,2}$/i;

/** Whether the path would be another one on the wire: a name in it is empty, `.` or `..`. */
const isRewritten = (path: string): boolean => path.split('?', 1)[0]!.split('/').slice(1).some((part) => lostPart.test(part));

const noAnswer = (code: FailureCode, message: string): CrmResult<never> => ({
  ok: false,
  kind: 'transient',
  code,
  message,
  status: 0,
});

/**
 * Makes the function that sends one call, once, and returns a value for every result: an answer, a cut connection, a timeout
 * (both transient: the outcome of a write is then unknown).
 */
export function createWireCall(baseUrl: string, agent: Agent): WireCall {
  return async <T>(call: WireRequest, options: CallOptions): Promise<CrmResult<T>> => {
    if (isRewritten(call.path)) {
      return {
        ok: false,
        kind: 'permanent',
        code: 'crm_name_unusable',
        message: 'an object type or property name is empty, . or .., and cannot be part of a path',
        status: 0,
      };
    }
    const { body, type } = bodyOf(call);
    const masked = masker(call);
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
      const text = await answer.body.text();
      const extra = { status: answer.statusCode, ...(rate ? { rate } : {}) };
      if (answer.statusCode >= 200 && answer.statusCode < 300) {
        const parsed = parseObject(text);
        if (call.readable(parsed ?? {})) return { ok: true, value: parsed as T, ...extra };
        return noAnswer('crm_unreadable', `the CRM answered ${answer.statusCode} with something that is not its answer`);
      }
      const wireBody = parseObject(masked(text)) as CrmErrorBody | undefined;
      const wait = retryAfterMs(answer.headers['retry-after'] as string | undefined, Date.now());
      return { ...classifyAnswer(answer.statusCode, wireBody, wait), ...extra, ...(wireBody ? { body: wireBody } : {}) };
    } catch (error) {
      if (options.signal?.aborted) return noAnswer('crm_aborted', 'the call was taken back');
      if (timeout.aborted) return noAnswer('crm_timeout', `no answer from the CRM within ${options.timeoutMs} ms`);
      return noAnswer(
        isUnsent(error) ? 'crm_not_reached' : 'crm_unreachable',
        masked(error instanceof Error ? error.message : String(error)),
      );
    }
  };
}

/** A connection pool for the CRM: bounded sockets, bounded answers. */
export function createCrmAgent(connections: number): Agent {
  return new Agent({ connections, keepAliveTimeout: 30_000, connect: { timeout: 5_000 }, maxResponseSize: answerLimitBytes });
}
