import {
  type CallFailure, type ConfigReader, type MonotonicClock, retryAfterMs, secretMask, type WallClock,
} from '@sluice/ports';
import { HeaderSet, type RestClient, type RestResult } from '@sluice/rest-client';
import { type PageAnswer, type RestConfig, SourceReadError } from '@sluice/sources';
import { createAccessTokens } from './access-tokens';
import { createSourceCredentials } from './source-credentials';
import { secretHeaders, type SecretHeaders, type SourceHeadersDeps } from './source-headers';

export interface SourcePagesDeps {
  client: RestClient;
  reader: Pick<ConfigReader, 'sourceCredential'>;
  monotonicNow: MonotonicClock;
  /** For dates in answers. */
  now: WallClock;
  /** Milliseconds for one page, and bytes of it at most. */
  timeoutMs: number;
  maxBytes: number;
}

/** What of a source's config says who asks, and with which headers. */
export type RequestFields =
  Pick<RestConfig, 'credential_name' | 'auth_type' | 'auth_header' | 'default_headers' | 'secret_headers'>;

/** Reads pages of JSON with the headers and the credential of a source. Follows no redirects. */
export interface SourcePages {
  /** Rejects with SourceReadError. */
  get(organizationId: string, source: RequestFields, url: string, signal: AbortSignal): Promise<PageAnswer>;
}

export function createSourcePages(deps: SourcePagesDeps): SourcePages {
  const headers: SourceHeadersDeps = { credentials: createSourceCredentials(deps), tokens: createAccessTokens(deps) };
  return {
    get: async (organizationId, source, url, signal) => {
      const once = async (renew?: { refusedToken: string | null }): Promise<[RestResult, SecretHeaders]> => {
        const secret = await secretHeaders(headers, organizationId, { source, url }, renew);
        if (!secret.ok) throw credentialError(secret);
        const all = headersOf(source, secret);
        return [await deps.client.call({ method: 'GET', url, headers: all }, { ...deps, signal }), secret];
      };
      const [first, used] = await once();
      // Credentials may have been rotated, or a token revoked, since they were read: asked once more with fresh ones.
      const isRenewed = isRefused(first) && hasSecret(source);
      const [result, { secrets }] = isRenewed ? await once({ refusedToken: used.token }) : [first, used];
      return readPage(result, secrets, deps.now());
    },
  };
}

const isRefused = (result: RestResult): boolean => result.answered && result.status === 401;
const hasSecret = ({ credential_name: name, secret_headers: more }: RequestFields): boolean =>
  name !== undefined || Object.keys(more ?? {}).length > 0;

function headersOf(source: RequestFields, secret: SecretHeaders): Record<string, string> {
  const headers = new HeaderSet();
  headers.set('Accept', 'application/json');
  const problem = headers.add((source.default_headers ?? {}) as Record<string, string>) ?? headers.add(secret.headers);
  if (problem !== null) throw new SourceReadError(problem);
  return headers.toObject();
}

const credentialError = ({ message, retryAfterMs: wait }: CallFailure): SourceReadError =>
  new SourceReadError(message, wait === undefined ? {} : { retryAfterMs: wait });

function readPage(result: RestResult, secrets: readonly string[], now: number): PageAnswer {
  if (!result.answered) throw new SourceReadError(secretMask(secrets)(result.message));
  const headers = Object.fromEntries(Object.entries(result.headers).map(([name, value]) =>
    [name, Array.isArray(value) ? value.join(', ') : value]));
  const { status } = result;
  if (status >= 200 && status < 300) return { headers, body: status === 204 ? [] : jsonOf(result.body) };
  const wait = retryAfterMs(headers['retry-after'], now);
  const quoted = status >= 300 && status < 400 ? ': redirects are not followed' : quotedText(result.body, secrets);
  const more = { status, ...(wait !== undefined && { retryAfterMs: wait }) };
  throw new SourceReadError(`the server answered ${status}${quoted}`, more);
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new SourceReadError('the answer is not JSON');
  }
}

/** Characters of a refusal that are repeated. */
const quotedLength = 200;

function quotedText(body: Buffer, secrets: readonly string[]): string {
  const text = secretMask(secrets)(body.subarray(0, 4 * quotedLength).toString('utf8')).replace(/\s+/g, ' ').trim();
  return text === '' ? '' : `: ${text.slice(0, quotedLength)}`;
}
