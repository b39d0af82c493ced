import type { CompletedPart, UploadPartCommandOutput } from '@aws-sdk/client-s3';
import type { ByteSource } from '@sluice/ports';
import type { BoundedSend } from './bounded-send';
import { partsOf } from './parts-of';

export interface StreamedObject {
  bucket: string;
  key: string;
  /** Bytes of a part of the upload: 5 MiB at least, but for the last. Two parts are in memory at a time. */
  partBytes: number;
  /** Milliseconds that the store may take for a part. */
  partMs: number;
}

/** The store takes no more parts of one object. */
const maxParts = 10_000;

/**
 * Puts an object whose size is not known: as one request when it is one part, else as a multipart upload, whose parts become an
 * object with its last request. A part goes out while the next one is collected.
 * @returns the number of bytes
 * @throws the source's own error, after the upload was given up; BlobStoreUnavailable; RangeError for too many parts
 */
export async function putObjectStream(object: StreamedObject, source: ByteSource, send: BoundedSend): Promise<number> {
  const { bucket: Bucket, key: Key, partMs } = object;
  const parts = partsOf(source, object.partBytes);
  const first = await parts.next();
  const head = first.done ? Buffer.alloc(0) : first.value;
  if (head.length < object.partBytes) {
    const put = { Bucket, Key, Body: head, ContentLength: head.length };
    await send((sdk, client, call) => client.send(new sdk.PutObjectCommand(put), call), partMs);
    return head.length;
  }
  const { UploadId } = await send((sdk, client, call) =>
    client.send(new sdk.CreateMultipartUploadCommand({ Bucket, Key }), call));
  const upload = { Bucket, Key, UploadId };
  try {
    const { done, size } = await sendParts({ upload, partMs }, head, parts, send);
    const MultipartUpload = { Parts: done };
    await send((sdk, client, call) =>
      client.send(new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload }), call), partMs);
    return size;
  } catch (error) {
    // Where the store is away, `deleteOlderThan` gives it up later.
    await send((sdk, client, call) => client.send(new sdk.AbortMultipartUploadCommand(upload), call)).catch(() => undefined);
    void parts.return().catch(() => undefined);
    throw error;
  }
}

interface PartTarget {
  upload: { Bucket: string; Key: string; UploadId: string | undefined };
  partMs: number;
}

async function sendParts(
  { upload, partMs }: PartTarget,
  head: Buffer,
  parts: AsyncGenerator<Buffer>,
  send: BoundedSend,
): Promise<{ done: CompletedPart[]; size: number }> {
  const sendPart = (PartNumber: number, Body: Buffer) => {
    const given = { ...upload, PartNumber, Body, ContentLength: Body.length };
    return send((sdk, client, call) => client.send(new sdk.UploadPartCommand(given), call), partMs);
  };
  const done: CompletedPart[] = [];
  let size = 0;
  let part: Buffer | undefined = head;
  while (part) {
    const PartNumber = done.length + 1;
    if (PartNumber > maxParts) throw new RangeError(`a blob has at most ${maxParts} parts of ${head.length} bytes`);
    const sent = sendPart(PartNumber, part);
    const both: Promise<[UploadPartCommandOutput, IteratorResult<Buffer, void>]> = Promise.all([sent, parts.next()]);
    const [{ ETag }, next] = await both.catch(async (error: unknown) => {
      // A part that arrives after its upload was given up would stay.
      await sent.catch(() => undefined);
      throw error;
    });
    done.push({ PartNumber, ...(ETag !== undefined && { ETag }) });
    size += part.length;
    part = next.done ? undefined : next.value;
  }
  return { done, size };
}
