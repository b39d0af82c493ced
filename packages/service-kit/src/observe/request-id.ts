import { randomUUID } from 'node:crypto';

const wellFormed = /^[A-Za-z0-9._-]{1,128}$/;

/** The id of a request: the one the caller sent in `X-Request-ID` when it is well formed, else a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && wellFormed.test(header) ? header : randomUUID();
}
