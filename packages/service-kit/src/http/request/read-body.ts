import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { apiError, HttpError } from '../errors/http-error';

/** Default limit of a body: 1 MiB of document and room for its wrapping. */
export const defaultBodyLimit = 1024 * 1024 + 64 * 1024;

/** Milliseconds a body may take to arrive. */
const arrivalMs = 60_000;
/**
 * Bytes a body unpacks to at most for each byte sent, once it unpacks to more than `freeBytes`. JSON of business data reaches 20
 * to 40.
 */
export const maxRatio = 100;
export const freeBytes = 1024 * 1024;

type Unpack = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;
const unpackers = new Map<string, Unpack>([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/**
 * The bytes of a body, unpacked, up to `limit` of them: `limit` passes, one more is 413. Node reads and drops the rest of a
 * refused body, so that the connection stays usable.
 * @param waitMs how long it may take to arrive
 * @throws HttpError 413 too large, or packed too tightly; 415 another content coding than gzip, deflate or br; 408 too slow; 400
 */
export async function readBody(request: IncomingMessage, limit: number, waitMs = arrivalMs): Promise<Buffer> {
  if (Number(request.headers['content-length']) > limit) throw tooLarge(limit);
  const unpack = unpackerOf(request);
  const bytes = await collect(request, limit, waitMs);
  return unpack === undefined || bytes.length === 0 ? bytes : unpacked(unpack, bytes, limit);
}

/**
 * The bytes of a body as they were sent, packed or not: what a signature covers. Unpack them with `unpackBody` once the sender is
 * known.
 * @throws HttpError 413, 408, 400
 */
export async function readSentBody(request: IncomingMessage, limit: number, waitMs = arrivalMs): Promise<Buffer> {
  if (Number(request.headers['content-length']) > limit) throw tooLarge(limit);
  return collect(request, limit, waitMs);
}

/**
 * Unpacks the bytes of a body, up to `limit` of them.
 * @throws HttpError 413 too large, or packed too tightly; 415; 400
 */
export async function unpackBody(request: IncomingMessage, bytes: Buffer, limit: number): Promise<Buffer> {
  const unpack = unpackerOf(request);
  return unpack === undefined || bytes.length === 0 ? bytes : unpacked(unpack, bytes, limit);
}

/** For routes that read no body: HttpError 415 when the request names a content coding that no route takes. */
export function assertContentCoding(request: IncomingMessage): void {
  unpackerOf(request);
}

/** undefined: the body is as it was sent. */
function unpackerOf(request: IncomingMessage): Unpack | undefined {
  const coding = request.headers['content-encoding']?.trim().toLowerCase() || 'identity';
  const unpack = unpackers.get(coding);
  if (coding !== 'identity' && !unpack) throw apiError('Unsupported content encoding');
  return unpack;
}

async function unpacked(unpack: Unpack, bytes: Buffer, limit: number): Promise<Buffer> {
  const allowed = Math.min(limit, Math.max(freeBytes, bytes.length * maxRatio));
  try {
    return await unpack(bytes, { maxOutputLength: allowed });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLarge(limit, allowed < limit ? { compression_ratio_limit: maxRatio } : {});
    throw apiError('Malformed JSON');
  }
}

const tooLarge = (limit: number, more: object = {}): HttpError => apiError('payload_too_large', { limit_bytes: limit, ...more });

function collect(request: IncomingMessage, limit: number, waitMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => fail(apiError('Request Timeout', {}, { Connection: 'close' })), waitMs);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      request.removeAllListeners('data');
      request.resume();
      reject(error);
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) fail(tooLarge(limit));
      else chunks.push(chunk);
    });
    request.once('end', () => {
      clearTimeout(timer);
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    });
    // The sender disconnected in the middle: nobody reads the answer, and it is no bug.
    request.once('aborted', () => fail(new HttpError(400, 'Request aborted')));
    request.once('error', () => fail(new HttpError(400, 'Request aborted')));
  });
}
