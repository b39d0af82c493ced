import { coversHost } from '@sluice/contracts';
import type { FunctionGrants } from '@sluice/ports';
import { HeaderSet, type RestRequest } from '@sluice/rest-client';

/** A request of a function as it may be sent. */
export interface AllowedRequest {
  method: Method;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: Buffer | null;
}

type Method = RestRequest['method'];
const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
/** Cookies would let one call leave something for the next. */
const refusedHeaders: ReadonlySet<string> = new Set(['cookie', 'cookie2']);

/** Why a request may not be sent. The message is for the author of the function. */
export class FetchRefused extends Error {
  override name = 'FetchRefused';
}

/** Checks what the guest asks for. `head`: JSON of url, method and headers. Throws FetchRefused. */
export function readRequest(head: string, body: Buffer | null): AllowedRequest {
  const { url, method: name, headers } = readHead(head);
  if (typeof url !== 'string' || !URL.canParse(url)) throw new FetchRefused('only http and https URLs can be called');
  const method = methods.find((known) => known === name);
  if (method === undefined) throw new FetchRefused(`the method ${String(name)} cannot be sent`);
  if (body !== null && (method === 'GET' || method === 'HEAD')) throw new FetchRefused(`a ${method} request has no body`);
  return { method, url: new URL(url), headers: readHeaders(headers), body };
}

function readHead(head: string): { url?: unknown; method?: unknown; headers?: unknown } {
  try {
    return (JSON.parse(head) ?? {}) as Record<string, unknown>;
  } catch {
    throw new FetchRefused('the request could not be read');
  }
}

function readHeaders(given: unknown): Record<string, string> {
  const set = new HeaderSet();
  for (const pair of Array.isArray(given) ? (given as unknown[]) : []) {
    const [name, value] = Array.isArray(pair) ? (pair as unknown[]) : [];
    if (typeof name !== 'string' || typeof value !== 'string') throw new FetchRefused('headers are names and texts');
    const problem = refusedHeaders.has(name.toLowerCase()) ? `the header '${name}' cannot be set` : set.add({ [name]: value });
    if (problem !== null) throw new FetchRefused(problem);
  }
  return set.toObject();
}

/** Checks the address and the secrets of one hop. Throws FetchRefused. */
export function checkHop({ url, headers, body }: AllowedRequest, { hosts, secrets }: FunctionGrants): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new FetchRefused('only http and https URLs can be called');
  if (url.username !== '' || url.password !== '') throw new FetchRefused('a URL with a user name or a password cannot be called');
  if (!coversHost(hosts, url)) throw new FetchRefused(`'${url.host}' is not covered by the http capability`);
  const sent = [url.href, decoded(url.href), ...Object.values(headers), body?.toString('latin1') ?? ''];
  const misplaced = secrets.some(({ value, origin }) => origin !== url.origin && sent.some((text) => text.includes(value)));
  if (misplaced) throw new FetchRefused('headers of an auth grant may only go to the origin of their source');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not percent-encoded text: then it is what it is.
    return text;
  }
}

/** The request that follows a redirect. Another host gets none of the function's headers. Throws FetchRefused. */
export function redirected(request: AllowedRequest, status: number, location: string): AllowedRequest {
  if (!URL.canParse(location, request.url.href)) throw new FetchRefused('a redirect leads to what is no URL');
  const url = new URL(location, request.url);
  const becomesGet = status === 303 || ((status === 301 || status === 302) && request.method === 'POST');
  const { method, body } = becomesGet && request.method !== 'HEAD' ? { method: 'GET' as const, body: null } : request;
  return { method, url, body, headers: url.origin === request.url.origin ? request.headers : {} };
}
