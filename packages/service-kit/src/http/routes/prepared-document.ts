import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Request } from 'express';

export interface PreparedDocumentOptions {
  text: string;
  /** For example `public, max-age=300`. */
  cacheControl: string;
}

/** An answer with a prepared document: 304 where the caller has it already. */
export interface PreparedAnswer {
  status: 200 | 304;
  headers: Readonly<Record<string, string>>;
  body?: Buffer;
}

/**
 * A document that is the same for every caller: written and packed once, so that a request for it costs no more than sending the
 * bytes. Answers `If-None-Match` and `Accept-Encoding` (gzip or plain) as RFC 9110 says.
 */
export function preparedDocument({ text, cacheControl }: PreparedDocumentOptions): (request: Request) => PreparedAnswer {
  const plain = Buffer.from(text, 'utf8');
  const packed = gzipSync(plain, { level: 9 });
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 27);
  return (request) => {
    const isPacked = request.acceptsEncodings('gzip', 'identity') === 'gzip';
    // Each encoding has a tag of its own, because a strong tag stands for the bytes that are sent.
    const etag = isPacked ? `"${hash}-gzip"` : `"${hash}"`;
    const headers = { ETag: etag, 'Cache-Control': cacheControl, Vary: 'Accept-Encoding' };
    if (isKnown(request.headers['if-none-match'], etag)) return { status: 304, headers };
    return isPacked
      ? { status: 200, headers: { ...headers, 'Content-Encoding': 'gzip' }, body: packed }
      : { status: 200, headers, body: plain };
  };
}

/** Weak comparison, as `If-None-Match` asks for. */
function isKnown(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false;
  return given.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')));
}
