import { createHash } from 'node:crypto';
import {
  type CallFailure, type ClientCredentials, type MonotonicClock, retryAfterMs, SingleFlight, type WallClock,
} from '@sluice/ports';
import { isHeaderValue, type RestClient, type RestResult } from '@sluice/rest-client';
import { LRUCache } from 'lru-cache';

const keptTokens = 10_000;
/** A token without `expires_in` is fetched again after this time, or when it is refused. Milliseconds. */
const untoldLifeMs = 300_000;
/** A token is replaced when this fraction of its lifetime is left, at most a minute before it expires. */
const restOfLife = 0.1;
const longestRestMs = 60_000;
const maxAnswerBytes = 64 * 1024;

export type TokenResult = { ok: true; token: string } | CallFailure;

/** Access tokens by the client credentials grant (RFC 6749, section 4.4). Concurrent requests for one token share one fetch. */
export interface AccessTokens {
  /** @param refused the token that the destination refused: a new one is fetched unless that has already happened */
  get(credentials: ClientCredentials, refused?: string): Promise<TokenResult>;
}

interface Token {
  value: string;
  refreshAt: number;
  expiresAt: number;
}

/** @param now for dates in answers */
export function createAccessTokens(
  { client, monotonicNow, now, timeoutMs }: {
    client: RestClient; monotonicNow: MonotonicClock; now: WallClock; timeoutMs: number;
  },
): AccessTokens {
  // `maxSize` lets memory grow with use; `max` would allocate all of it at once.
  const known = new LRUCache<string, Token>({ maxSize: keptTokens, sizeCalculation: () => 1 });
  const fetching = new SingleFlight<TokenResult>();

  const fetch = async (key: string, credentials: ClientCredentials): Promise<TokenResult> => {
    const answer = await askEndpoint(client, credentials, timeoutMs);
    const read = readToken(answer, now());
    if (!read.ok) return read;
    const lifeMs = read.expiresInS === null ? untoldLifeMs : read.expiresInS * 1_000;
    const expiresAt = monotonicNow() + lifeMs;
    known.set(key, { value: read.token, expiresAt, refreshAt: expiresAt - Math.min(lifeMs * restOfLife, longestRestMs) });
    return { ok: true, token: read.token };
  };
  return {
    get: async (credentials, refused) => {
      // Another secret, or another endpoint, is another token.
      const key = createHash('sha256').update(JSON.stringify(credentials)).digest('hex');
      const token = known.get(key);
      const usable = token && token.value !== refused && monotonicNow() < token.expiresAt ? token : undefined;
      if (usable && monotonicNow() < usable.refreshAt) return { ok: true, token: usable.value };
      const fetched = await fetching.run(key, () => fetch(key, credentials));
      // The old token is still valid: a transient failure of the endpoint does no harm.
      return !fetched.ok && fetched.kind === 'transient' && usable ? { ok: true, token: usable.value } : fetched;
    },
  };
}

/**
 * The client authenticates in the header; an endpoint that refuses that gets the client in the body (RFC 6749, section 2.3.1).
 */
async function askEndpoint(client: RestClient, credentials: ClientCredentials, timeoutMs: number): Promise<RestResult> {
  const { token_url: url, client_id: id, client_secret: secret, scope, audience } = credentials;
  const grant = { grant_type: 'client_credentials', ...(scope && { scope }), ...(audience && { audience }) };
  const ask = (headers: Record<string, string>, fields: Record<string, string>): Promise<RestResult> =>
    client.call(
      {
        method: 'POST', url, body: new URLSearchParams(fields).toString(),
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', ...headers },
      },
      { timeoutMs, maxBytes: maxAnswerBytes },
    );
  const basic = Buffer.from(`${formEncoded(id)}:${formEncoded(secret)}`).toString('base64');
  const first = await ask({ authorization: `Basic ${basic}` }, grant);
  const refused = first.answered && (first.status === 401 || first.status === 400);
  return refused ? ask({}, { ...grant, client_id: id, client_secret: secret }) : first;
}

const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);

type ReadToken = { ok: true; token: string; expiresInS: number | null } | CallFailure;

function readToken(answer: RestResult, now: number): ReadToken {
  if (!answer.answered) {
    return answer.reason === 'target_refused'
      ? failure('permanent', 'target_refused', `the token endpoint: ${answer.message}`)
      : failure('transient', 'target_token_unavailable', `the token endpoint gave no answer: ${answer.message}`);
  }
  const { status } = answer;
  const body = jsonObject(answer.body);
  if (status >= 500 || [408, 425, 429].includes(status)) {
    const header = answer.headers['retry-after'];
    const wait = retryAfterMs(typeof header === 'string' ? header : undefined, now);
    return failure('transient', 'target_token_unavailable', `the token endpoint answered ${status}`, wait);
  }
  if (status >= 300) return failure('fatal', 'target_token_refused', `the token endpoint answered ${status}${errorName(body)}`);
  const { access_token: token, expires_in: life } = body;
  if (typeof token !== 'string' || token === '' || !isHeaderValue(token))
    return failure('transient', 'target_token_unavailable', `the token endpoint answered ${status} without an access_token`);
  const seconds = Number(life ?? NaN);
  return { ok: true, token, expiresInS: Number.isFinite(seconds) && seconds > 0 ? seconds : null };
}

function jsonObject(bytes: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
  } catch {
    // An answer that is not JSON has no token; the caller reports that.
    return {};
  }
}

const errorCodes: ReadonlySet<string> = new Set([
  'invalid_request', 'invalid_client', 'invalid_grant', 'unauthorized_client', 'unsupported_grant_type', 'invalid_scope',
]);
/** The error code that the standard lists (RFC 6749, section 5.2). Any other text may repeat what was sent. */
function errorName({ error }: Record<string, unknown>): string {
  return typeof error === 'string' && errorCodes.has(error) ? ` (${error})` : '';
}

const failure = (kind: CallFailure['kind'], code: CallFailure['code'], message: string, wait?: number): CallFailure =>
  ({ ok: false, kind, code, message, ...(wait !== undefined && { retryAfterMs: wait }) });
