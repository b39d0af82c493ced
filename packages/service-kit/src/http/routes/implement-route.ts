import type { Readable } from 'node:stream';
import type { BodyOf, ParamsOf, QueryOf, RouteContract, StatusOf } from '@sluice/contracts';
import type { Logger } from '@sluice/ports';
import type { Request, Response } from 'express';
import type { WideEvent } from '../../log/wide-event';
import type { FormReader } from '../streams/receive-form';
import type { FileReply, ServerEvent } from '../streams/stream-reply';

/** A body that arrives, of a route whose contract has `upload`. */
export interface Upload {
  /** One of the contract's content types. */
  contentType: string;
  /** Breaks with HttpError 413, 408 or 400. */
  bytes: Readable;
}

/** What a handler gets. Body, query and params have been checked against the contract. */
export interface RouteInput<R, P = unknown> {
  body: BodyOf<R>;
  query: QueryOf<R>;
  params: ParamsOf<R>;
  /** What `authenticate` found; undefined for a route without. */
  principal: P;
  requestId: string;
  /** Address of the caller. */
  address: string;
  /** Carries the request id. */
  logger: Logger;
  /** The access log line of this request: add what helps to find it (`connector_id`, ids, counts). */
  wide: WideEvent;
  /** The bytes of the body, for signatures. Empty for a form and an upload. */
  bodyBytes: Buffer;
  /** The form of the request. Where the contract has a `body` too: null for a request with JSON. */
  form: R extends { form: unknown } ? R extends { body: unknown } ? FormReader<R> | null : FormReader<R> : undefined;
  /** The body of the request as it arrives. */
  upload: R extends { upload: unknown } ? Upload : undefined;
  /** Aborted when the caller has left or the server stops: ends what a stream of events waits for. */
  signal: AbortSignal;
  /** The last event that a caller saw who asks for the rest of a stream of events; null: it asks for the first time. */
  lastEventId: string | null;
  /** For cookies and headers. The answer itself is what the handler returns. */
  request: Request;
  response: Response;
}

/** An answer: one of the contract's success codes, and its body unless the code has none. */
export interface RouteReply<S = number> {
  status: S;
  body?: unknown;
  /** Instead of a body, for an answer with `stream: 'file'`: all of it, or the range that the request asks for. */
  file?: FileReply;
  /** Instead of a body, for an answer with `stream: 'events'`. */
  events?: AsyncIterable<ServerEvent>;
  headers?: Readonly<Record<string, string>>;
  /** For a `body` that is text or bytes already: its content type, also `application/json`. */
  contentType?: string;
}

/** Facts of a request beside its parts. */
export interface CallContext {
  contract: RouteContract;
  requestId: string;
  /** Address of the caller. */
  address: string;
  /** The request's log line: `authenticate` adds the caller there. */
  wide: WideEvent;
  /** The caller, set by `authenticate` as soon as it is known, also when the caller is refused after that. */
  principal?: unknown;
}

/** Authenticates the caller, or throws an HttpError (401, 403, 429). Runs before the body is read. */
export type Authenticate<P> = (request: Request, context: CallContext) => P | Promise<P>;

export interface RouteImplementation<R, P> {
  authenticate?: Authenticate<P>;
  handler(input: RouteInput<R, P>): RouteReply<StatusOf<R>> | Promise<RouteReply<StatusOf<R>>>;
}

/** A contract with its handler, as `createHttpApp` takes it. */
export interface HttpRoute {
  contract: RouteContract;
  /** Wraps all work for a request, from authentication to the handler's reply. */
  around?<T>(request: Request, context: CallContext, work: () => Promise<T>): Promise<T>;
  authenticate?: Authenticate<unknown>;
  handler(input: RouteInput<RouteContract, unknown>): RouteReply | Promise<RouteReply>;
}

/**
 * Joins a contract and its handler; the types of body, query and params follow from the contract's literals.
 * Throws when a contract that needs a caller gets no `authenticate`: a route must not become public by omission.
 */
export function implementRoute<R extends RouteContract, P = undefined>(
  contract: R,
  implementation: RouteImplementation<R, P>,
): HttpRoute {
  if (contract.auth !== 'none' && !implementation.authenticate)
    throw new Error(`route ${contract.name} needs authenticate: its auth is ${contract.auth}`);
  return { contract, ...implementation } as unknown as HttpRoute;
}
