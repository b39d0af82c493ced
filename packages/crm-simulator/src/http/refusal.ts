import { randomUUID } from 'node:crypto';
import type { Answer } from './answer';

/** One entry of an error body's `errors` list (docs/reference/crm-api.md, Errors). */
export interface ErrorDetail {
  readonly message: string;
  readonly code?: string;
  readonly in?: string;
  readonly context?: Readonly<Record<string, readonly string[]>>;
}

/** Everything that describes one refused request or one refused batch input. */
export interface Problem {
  readonly status: number;
  readonly message: string;
  readonly category?: string;
  readonly subCategory?: string;
  readonly context?: Readonly<Record<string, readonly string[]>>;
  readonly errors?: readonly ErrorDetail[];
  readonly links?: Readonly<Record<string, string>>;
  /** Fields that only some error bodies have, such as `policyName` of a 429. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Thrown by handlers to refuse the whole request; `serve-call` turns it into an answer. The only expected exception. */
export class Refusal extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

/** The error body of a refused request. Fields that do not apply are left out. */
export function problemAnswer(problem: Problem, headers?: Record<string, string>): Answer {
  const { status, message, category, subCategory, context, errors, links, extra } = problem;
  const body = { status: 'error', message, correlationId: randomUUID(), category, subCategory, context, errors, links, ...extra };
  return headers ? { status, body, headers } : { status, body };
}

/** 400 VALIDATION_ERROR. */
export const invalid = (message: string, more: Partial<Problem> = {}): Problem => ({
  status: 400,
  category: 'VALIDATION_ERROR',
  message,
  ...more,
});

/** 404 `resource not found`. */
export const notFound = (message = 'resource not found', more: Partial<Problem> = {}): Problem => ({
  status: 404,
  category: 'OBJECT_NOT_FOUND',
  message,
  ...more,
});

/** Throws a Refusal; an expression, so that it can stand after `??`. */
export function refuse(problem: Problem): never {
  throw new Refusal(problem);
}
