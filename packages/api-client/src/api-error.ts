import type { ErrorCodeOf, RouteContract, ValidationEntry } from '@sluice/contracts';

/** The facts of an answer that an error is made of. */
export interface RefusedAnswer {
  /** Name of the route's contract. */
  operation: string;
  status: number;
  body: unknown;
  headers: Pick<Headers, 'get'>;
}

/** An answer outside 2xx. */
export class ApiError<Code extends string = string> extends Error {
  override name = 'ApiError';
  readonly operation: string;
  readonly status: number;
  /** `detail.error`, `detail.code`, or `detail` itself where it is a text; null when the answer has none of them. */
  readonly code: Code | null;
  readonly detail: unknown;
  /** The entries of a 422; empty otherwise. */
  readonly problems: readonly ValidationEntry[];
  /** null: the answer does not say when to try again. */
  readonly retryAfterMs: number | null;
  readonly requestId: string | null;

  constructor({ operation, status, body, headers }: RefusedAnswer) {
    super(`${operation} answered ${status}: ${JSON.stringify(body)?.slice(0, 2_000) ?? ''}`);
    this.operation = operation;
    this.status = status;
    this.detail = isObject(body) ? body.detail : undefined;
    this.code = codeOf(this.detail) as Code | null;
    this.problems = Array.isArray(this.detail) ? (this.detail as ValidationEntry[]) : [];
    this.retryAfterMs = secondsOf(headers.get('retry-after'));
    this.requestId = headers.get('x-request-id');
  }
}

/** Whether an error is the answer of this route: its code is then one that the route names, or a common one. */
export function isAnswerOf<R extends RouteContract>(route: R, error: unknown): error is ApiError<ErrorCodeOf<R>> {
  return error instanceof ApiError && error.operation === route.name;
}

function codeOf(detail: unknown): string | null {
  if (typeof detail === 'string') return detail;
  if (!isObject(detail)) return null;
  const code = detail.error ?? detail.code;
  return typeof code === 'string' ? code : null;
}

function secondsOf(header: string | null): number | null {
  const seconds = header === null || header.trim() === '' ? NaN : Number(header);
  return Number.isFinite(seconds) ? seconds * 1_000 : null;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
