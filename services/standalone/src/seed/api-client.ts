/** An answer that is not what the seed or the demo needs. `status` 0: there was none. */
export class ApiFailure extends Error {
  override name = 'ApiFailure';
  constructor(readonly status: number, call: string, readonly body: unknown) {
    super(`${call} answered ${status}: ${JSON.stringify(body)}`);
  }
}

/** Calls of the product's own HTTP API. `T` is what the caller knows of the answer's shape. */
export interface ApiClient {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: unknown, headers?: Record<string, string>): Promise<T>;
  put<T>(path: string, body: unknown): Promise<T>;
  patch<T>(path: string, body: unknown): Promise<T>;
}

const timeoutMs = 30_000;

/**
 * A client with fixed headers (a bearer token, a connector key). Every answer outside 2xx is thrown as an ApiFailure.
 * @param signal ends calls under way, when the process is told to stop
 */
export function apiClient(baseUrl: string, headers: Record<string, string>, signal?: AbortSignal): ApiClient {
  const call = async <T>(method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<T> => {
    const limits = [AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])];
    const response = await fetch(`${baseUrl}${path}`, {
      method, signal: AbortSignal.any(limits),
      headers: { ...headers, ...more, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer: unknown = text === '' ? null : JSON.parse(text);
    if (!response.ok) throw new ApiFailure(response.status, `${method} ${path}`, answer);
    return answer as T;
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body, more) => call('POST', path, body, more),
    put: (path, body) => call('PUT', path, body),
    patch: (path, body) => call('PATCH', path, body),
  };
}

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
