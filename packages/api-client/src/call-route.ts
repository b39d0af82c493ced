import type { RouteContract } from '@sluice/contracts';
import { ApiError } from './api-error';

export interface ApiClientOptions {
  /** Without a slash at its end. */
  baseUrl: string;
  /** Of every request: who calls. */
  headers?: Readonly<Record<string, string>>;
  /** Milliseconds that a request may take. Default: 30,000. */
  timeoutMs?: number;
  /** Ends the requests under way. */
  signal?: AbortSignal;
  fetch?: typeof globalThis.fetch;
}

/** What a call may be given, as far as its contract has it. */
export interface RouteCallInput {
  params?: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  /** The fields and files of a multipart body, or bytes with their content type. */
  form?: FormData;
  upload?: Blob;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

const defaultTimeoutMs = 30_000;

/**
 * Calls a route and answers its body; null when it has none. Of a route that streams, the answer as it arrives.
 * Throws an ApiError for an answer outside 2xx.
 */
export async function callRoute(options: ApiClientOptions, route: RouteContract, input: RouteCallInput = {}): Promise<unknown> {
  const { baseUrl, fetch = globalThis.fetch, timeoutMs = defaultTimeoutMs } = options;
  const signals = [AbortSignal.timeout(timeoutMs), options.signal, input.signal].filter((one) => one !== undefined);
  const response = await fetch(baseUrl + pathOf(route, input.params) + queryOf(input.query), {
    method: route.method.toUpperCase(),
    signal: AbortSignal.any(signals),
    ...sentBody(input, { ...options.headers, ...input.headers }),
  });
  if (response.ok && isStreamed(route)) return response;
  const body = await bodyOf(response);
  if (!response.ok) throw new ApiError({ operation: route.name, status: response.status, body, headers: response.headers });
  return body;
}

/** A form and a blob name their content type themselves. */
function sentBody(
  { body, form, upload }: RouteCallInput, headers: Record<string, string>,
): Pick<RequestInit, 'headers' | 'body'> {
  if (form ?? upload) return { headers, body: form ?? upload ?? null };
  if (body === undefined) return { headers };
  return { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

const isStreamed = ({ answers }: RouteContract): boolean => Object.values(answers).some(({ stream }) => stream !== undefined);

function pathOf({ name, path }: RouteContract, params: RouteCallInput['params'] = {}): string {
  return path.replace(/:(\w+)/g, (_all, param: string) => {
    const value = params[param];
    // An empty or missing one would be another route.
    if (value === undefined || value === null || value === '') throw new TypeError(`${name} needs the path parameter '${param}'`);
    return encodeURIComponent(String(value));
  });
}

function queryOf(query: RouteCallInput['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    // Not every answer is JSON: a proxy in front has pages of its own.
    return text;
  }
}
