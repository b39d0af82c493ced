import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { apiError, HttpError } from '@sluice/service-kit';

const inflaters = { gzip: promisify(gunzip), 'x-gzip': promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) } as const;

/**
 * The bytes of a body, decompressed, up to `limit` of them: `limit` passes, one more is 413. What is left of a refused
 * body is read and dropped by node, so that the connection stays usable.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (Number(request.headers['content-length']) > limit) throw apiError('payload_too_large', { limit_bytes: limit });
  if (encoding === 'identity') return collect(request, limit);
  const inflateBody = inflaters[encoding as keyof typeof inflaters];
  if (!inflateBody) throw new HttpError(415, 'Unsupported Media Type');
  return inflated(inflateBody, await collect(request, limit), limit);
}

async function inflated(inflateBody: (typeof inflaters)['gzip'], bytes: Buffer, limit: number): Promise<Buffer> {
  try {
    return await inflateBody(bytes, { maxOutputLength: limit });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw apiError('payload_too_large', { limit_bytes: limit });
    throw apiError('Malformed JSON');
  }
}

function collect(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const fail = (error: Error): void => {
      request.removeAllListeners('data');
      request.resume();
      reject(error);
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) fail(apiError('payload_too_large', { limit_bytes: limit }));
      else chunks.push(chunk);
    });
    request.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    // The sender left in the middle: nobody reads the answer, and nothing is a bug.
    request.once('aborted', () => fail(new HttpError(400, 'Request aborted')));
    request.once('error', () => fail(new HttpError(400, 'Request aborted')));
  });
}
