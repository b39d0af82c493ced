import express, { type Request, type Response } from 'express';
import { apiError, HttpError } from './http-error';
import { isDeeperThan } from './json-depth';
import { validationEntry } from './validation-entries';

/** Default limit of a body: 1 MiB of document and room for its wrapping. */
export const defaultBodyLimit = 1024 * 1024 + 64 * 1024;

/** Levels of nesting that anything of ours needs, and then some; what recurses over a body can rely on it. */
const maxDepth = 200;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads request bodies up to a limit in bytes, exactly: `limit` passes, one more is 413. */
export function bodyReader(limit: number): (request: Request, response: Response) => Promise<Buffer> {
  const read = express.raw({ limit, type: () => true });
  return (request, response) =>
    new Promise((resolve, reject) => {
      read(request, response, (error?: unknown) => {
        if (error === undefined) resolve(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
        else reject(isTooLarge(error) ? apiError('payload_too_large', { limit_bytes: limit }) : error);
      });
    });
}

/**
 * Parses a body as JSON in UTF-8, whatever its content type says. An empty one gives undefined.
 * @throws HttpError 400 `Malformed JSON`; 422 when nested so deep that no caller could handle it
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (isDeeperThan(bytes, maxDepth)) throw new HttpError(422, [validationEntry('body', [], 'value_error', `Input is nested deeper than ${maxDepth} levels`, null)]);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    // Neither the text nor the parser's words about it go out: they would repeat the body.
    throw apiError('Malformed JSON');
  }
}

const isTooLarge = (error: unknown): boolean => (error as { type?: unknown } | null)?.type === 'entity.too.large';
