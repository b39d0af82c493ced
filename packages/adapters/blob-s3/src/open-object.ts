import type { Readable } from 'node:stream';
import type { GetObjectCommandInput } from '@aws-sdk/client-s3';
import type { ByteRange } from '@sluice/ports';
import type { BoundedSend } from './bounded-send';

/** An object whose bytes are on their way. */
export interface OpenedObject {
  body: Readable;
  /** Bytes of the whole object. */
  size: number;
  /** Names this content of the key. */
  etag: string | undefined;
}

/**
 * Asks for an object; null when there is none. Not by HEAD, whose 404 does not say whether the key is missing or the bucket.
 * @param etag only this content: another one is a refusal
 * @throws RangeError when the range begins behind the end; BlobStoreUnavailable
 */
export async function openObject(
  { bucket, key }: { bucket: string; key: string },
  { range, etag }: { range?: ByteRange; etag?: string | undefined },
  send: BoundedSend,
): Promise<OpenedObject | null> {
  const input: GetObjectCommandInput = {
    Bucket: bucket, Key: key, IfMatch: etag, Range: range && `bytes=${range.start}-${range.end}`,
  };
  const opened = await send(async (sdk, client, call) => {
    try {
      const { Body, ContentLength = 0, ContentRange, ETag } = await client.send(new sdk.GetObjectCommand(input), call);
      if (!Body) throw new Error('an answer without a body');
      return { body: Body as Readable, size: totalOf(ContentRange) ?? ContentLength, etag: ETag };
    } catch (error) {
      const { name } = error as Error;
      if (name === 'NoSuchKey') return null;
      if (name === 'InvalidRange') return 'behind the end' as const;
      throw error;
    }
  });
  if (opened === 'behind the end') throw new RangeError(`the blob ends before byte ${range?.start}`);
  return opened;
}

/** Bytes of the whole object, of `bytes 0-9/100`. */
function totalOf(contentRange: string | undefined): number | undefined {
  const total = contentRange?.split('/')[1];
  return total === undefined ? undefined : Number(total);
}
