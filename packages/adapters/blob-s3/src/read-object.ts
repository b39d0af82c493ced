import { Readable } from 'node:stream';
import { BlobStoreUnavailable, type ByteRange, rangeWithin } from '@sluice/ports';
import { type BoundedSend, unavailable, withinTime } from './bounded-send';
import { openObject, type OpenedObject } from './open-object';

export interface ObjectToRead {
  bucket: string;
  key: string;
  /** Milliseconds that the store may take for its next bytes. */
  timeoutMs: number;
}

/** Answers in a row without a byte, after which reading ends. */
const maxFailures = 3;

/**
 * The bytes of an object as a stream; null when there is none.
 * @throws RangeError, BlobStoreUnavailable
 */
export async function readObject(
  object: ObjectToRead, range: ByteRange | undefined, send: BoundedSend,
): Promise<Readable | null> {
  const first = await openObject(object, { ...(range && { range }) }, send);
  if (!first) return null;
  try {
    const stream = Readable.from(objectBytes(object, rangeWithin(first.size, range), first, send), { objectMode: false });
    // A stream that nobody read never starts its generator, which would have closed the answer.
    return stream.once('close', () => first.body.destroy());
  } catch (error) {
    first.body.destroy();
    throw error;
  }
}

/** A store cuts answers that are read slowly: reading goes on with the byte that is missing. */
async function* objectBytes(
  object: ObjectToRead, range: ByteRange, { body: firstBody, etag }: OpenedObject, send: BoundedSend,
): AsyncGenerator<Buffer> {
  let at = range.start;
  let body: Readable | undefined = firstBody;
  for (let failures = 0; at <= range.end; ) {
    try {
      body ??= (await openObject(object, { range: { start: at, end: range.end }, etag }, send))?.body;
      if (!body) throw new BlobStoreUnavailable('The blob was deleted while it was read.');
      for await (const chunk of chunksOf(body, object.timeoutMs)) {
        at += chunk.length;
        failures = 0;
        yield chunk;
      }
      if (at <= range.end) throw new BlobStoreUnavailable('The answer of the bucket was cut.');
    } catch (error) {
      body = undefined;
      failures += 1;
      if (failures >= maxFailures) throw error;
    }
  }
}

/** Chunks of an answer, each within the time limit from when it is asked for. */
async function* chunksOf(body: Readable, timeoutMs: number): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await withinTime(timeoutMs, () => chunks.next() as Promise<IteratorResult<Buffer>>);
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw unavailable(error);
  } finally {
    body.destroy();
  }
}
