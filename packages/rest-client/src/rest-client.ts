/** One request to an address that a user configured. */
export interface RestRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  /** http or https. User name and password in it are refused: they would be stored and shown in the open. */
  url: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

/** Bounds of one call. */
export interface RestCallOptions {
  /** For name lookup, connection, request and answer together. Milliseconds. */
  timeoutMs: number;
  /** Largest answer body in bytes. Default: the client's own limit. */
  maxBytes?: number;
  signal?: AbortSignal;
}

/** Why a call got no answer. */
export type RestFailure =
  /** The URL may not be called: another scheme, credentials in it, a private address. Nothing was sent. */
  | 'target_refused'
  /** No connection, or the request could not be formed. Nothing was sent. */
  | 'not_sent'
  /** The connection ended without an answer. Whether the target acted is unknown; the same holds for the codes below. */
  | 'no_answer'
  | 'timed_out'
  | 'aborted'
  | 'answer_too_large';

/** The outcome of a call. Every HTTP answer is one, also 4xx, 5xx and redirects: the caller decides what they mean. */
export type RestResult =
  | { answered: true; status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }
  /** `status`: that of an answer that is too large. */
  | { answered: false; reason: RestFailure; message: string; status?: number };

/** Calls addresses that users configure. Follows no redirects, keeps no cookies, repeats nothing, never throws. */
export interface RestClient {
  call(request: RestRequest, options: RestCallOptions): Promise<RestResult>;
  /** Ends the connections; calls under way get `no_answer`. */
  close(): Promise<void>;
}
