import { randomUUID } from 'node:crypto';
import type { Answer } from './answer';
import type { Problem } from '../state/problem';

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
