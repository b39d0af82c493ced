import type { IncomingMessage } from 'node:http';
import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { apiError, HttpError } from '../errors/http-error';
import { assertContentCoding, freeBytes, maxRatio } from '../request/read-body';

export interface BodyBounds {
  /** Bytes of the body as it was sent. */
  maxBytes: number;
  /** Milliseconds in which the sender must bring `leastBytes`. */
  idleMs: number;
}

/** A sender that brings less than this within the idle time is cut: 1,092 bytes a second by default. */
const leastBytes = 65_536;

const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress,
};

/**
 * The bytes of a body as they arrive, unpacked. It is read no faster than its reader reads.
 * The stream breaks with HttpError: 413 too large, or packed too tightly; 408 too slow; 400 cut, or not what its coding says.
 * @throws HttpError 413 for a `Content-Length` over the bound; 415 for an unknown content coding
 */
export function bodyStream(request: IncomingMessage, bounds: BodyBounds): Readable {
  assertContentCoding(request);
  if (Number(request.headers['content-length']) > bounds.maxBytes) throw tooLarge(bounds.maxBytes);
  const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
  const unpacker = Object.hasOwn(unpackers, coding) ? unpackers[coding]?.() : undefined;
  const arriving = arrivingBytes(request, bounds);
  return unpacker ? unpacked(arriving, unpacker, bounds) : Readable.from(arriving, { objectMode: false });
}

const tooLarge = (limit: number, more: object = {}): HttpError => apiError('payload_too_large', { limit_bytes: limit, ...more });

async function* arrivingBytes(request: IncomingMessage, { maxBytes, idleMs }: BodyBounds): AsyncGenerator<Buffer> {
  const chunks = request.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let size = 0;
  try {
    for (let pace = { waitedMs: 0, bytes: 0 }; ; ) {
      const asked = performance.now();
      const { done, value } = await inTime(chunks.next(), idleMs - pace.waitedMs);
      if (done) return;
      size += value.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      // Only waiting for the sender counts: while the reader is busy, the bytes lie here.
      pace = { waitedMs: pace.waitedMs + performance.now() - asked, bytes: pace.bytes + value.length };
      if (pace.bytes >= leastBytes) pace = { waitedMs: 0, bytes: 0 };
      yield value;
    }
  } finally {
    // What is left is read and dropped, so that the sender gets to read the answer.
    void chunks.return?.().then(() => request.resume(), () => undefined);
  }
}

async function inTime<T>(next: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(apiError('Request Timeout', {}, { Connection: 'close' })), Math.max(ms, 0));
  });
  try {
    return await Promise.race([next, late]);
  } catch (error) {
    // The sender disconnected in the middle: nobody reads the answer, and it is no bug.
    throw error instanceof HttpError ? error : new HttpError(400, 'Request aborted');
  } finally {
    clearTimeout(timer);
  }
}

/** What unpacks to far more than was sent is refused before it fills a store. */
function unpacked(source: AsyncIterable<Buffer>, unpacker: Transform, { maxBytes }: BodyBounds): Readable {
  let sent = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      sent += chunk.length;
      yield chunk;
    }
  }
  async function* bounded(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let given = 0;
    try {
      for await (const chunk of chunks) {
        given += chunk.length;
        if (given > maxBytes) throw tooLarge(maxBytes);
        if (given > Math.max(freeBytes, sent * maxRatio)) throw tooLarge(maxBytes, { compression_ratio_limit: maxRatio });
        yield chunk;
      }
    } catch (error) {
      throw error instanceof HttpError ? error : new HttpError(400, 'The body is not what its content coding says');
    }
  }
  // Its errors are those of the stream that is returned.
  return pipeline(counted, unpacker, bounded, () => undefined) as unknown as Readable;
}
