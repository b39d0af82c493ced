import type { S3Client } from '@aws-sdk/client-s3';
import { type BlobStore, isBlobKey } from '@sluice/ports';
import { createBoundedSend, type Sdk } from './bounded-send';
import { deleteOlderObjects } from './delete-older-objects';
import { openObject } from './open-object';
import { putObjectStream } from './put-object-stream';
import { readObject } from './read-object';

export interface S3BlobStoreOptions {
  bucket: string;
  /** Address of an S3-compatible store; null: AWS. */
  endpoint: string | null;
  /** null: `us-east-1`; the client then follows an AWS bucket to its region. */
  region: string | null;
  /** null: the environment's own credentials (a role of the machine, the container or the service account). */
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | null;
  /** Milliseconds that a call may take, its repeats included, before the store counts as unavailable. Default 5,000. */
  timeoutMs?: number;
  /** Objects that one listing shows. Default: 1,000, the most that one deletion takes. */
  pageSize?: number;
  /** Bytes of a part of a streamed upload. Default 8 MiB: an object has at most 10,000 parts, which makes 78 GiB. */
  partBytes?: number;
}

/** Tries that the SDK makes by itself, all within `timeoutMs`. */
const maxAttempts = 3;
/** Sockets to the store of one process. */
const maxSockets = 64;
/** Bytes in a millisecond that a part may take beside the time of a call: 1 MB/s. */
const slowestRate = 1_000;

/** Blobs as objects of one bucket, which must exist. */
export function createS3BlobStore({ timeoutMs = 5_000, pageSize = 1_000, ...options }: S3BlobStoreOptions): BlobStore {
  const { bucket, partBytes = 8 * 1024 * 1024 } = options;
  let opened: Promise<{ sdk: Sdk; client: S3Client }> | undefined;
  const open = () =>
    (opened ??= import('@aws-sdk/client-s3').then((sdk) => ({ sdk, client: new sdk.S3Client(clientOptions(options)) })));
  const send = createBoundedSend(open, timeoutMs);
  /** The object that a key names. */
  const at = (key: string) => {
    if (!isBlobKey(key)) throw new Error(`Not a blob key: ${JSON.stringify(key)}`);
    return { Bucket: bucket, Key: key };
  };
  return {
    put: async (key, bytes) => {
      // A copy, because the caller may change its buffer while the SDK sends it.
      const Body = Buffer.from(bytes);
      const object = { ...at(key), Body, ContentLength: Body.length };
      await send((sdk, client, call) => client.send(new sdk.PutObjectCommand(object), call));
    },
    putStream: async (key, source) => {
      at(key);
      return putObjectStream({ bucket, key, partBytes, partMs: timeoutMs + partBytes / slowestRate }, source, send);
    },
    get: async (key) => {
      const object = at(key);
      return send(async (sdk, client, call) => {
        const found = await client.send(new sdk.GetObjectCommand(object), call).catch(nullWhenMissing);
        if (!found) return null;
        return found.Body ? Buffer.from(await found.Body.transformToByteArray()) : Buffer.alloc(0);
      });
    },
    getStream: async (key, range) => {
      at(key);
      return readObject({ bucket, key, timeoutMs }, range, send);
    },
    size: async (key) => {
      at(key);
      try {
        const opened = await openObject({ bucket, key }, { range: { start: 0, end: 0 } }, send);
        opened?.body.destroy();
        return opened && opened.size;
      } catch (error) {
        if (error instanceof RangeError) return 0;
        throw error;
      }
    },
    delete: async (key) => {
      const object = at(key);
      await send((sdk, client, call) => client.send(new sdk.DeleteObjectCommand(object), call));
    },
    renew: async (key) => {
      // A copy onto itself must replace something: its metadata, of which there is none.
      const copy = { ...at(key), CopySource: `${bucket}/${key}`, MetadataDirective: 'REPLACE' as const };
      const copied = await send((sdk, client, call) => client.send(new sdk.CopyObjectCommand(copy), call).catch(nullWhenMissing));
      return copied !== null;
    },
    deleteOlderThan: async (folder, before) => {
      at(folder);
      return deleteOlderObjects({ bucket, folder, before, pageSize }, send);
    },
  };
}

function clientOptions({ endpoint, region, credentials }: Pick<S3BlobStoreOptions, 'endpoint' | 'region' | 'credentials'>) {
  return {
    maxAttempts,
    requestHandler: { httpAgent: { maxSockets }, httpsAgent: { maxSockets } },
    // Stores other than AWS support only the older checksums, and bucket names in the path.
    requestChecksumCalculation: 'WHEN_REQUIRED' as const,
    responseChecksumValidation: 'WHEN_REQUIRED' as const,
    region: region ?? 'us-east-1',
    ...(endpoint === null ? { followRegionRedirects: true } : { endpoint, forcePathStyle: true }),
    ...(credentials === null ? {} : { credentials }),
  };
}

/** Every other refusal passes on: a bucket that does not exist must not read as "no such blob". */
function nullWhenMissing(error: unknown): null {
  if ((error as Error).name === 'NoSuchKey') return null;
  throw error;
}
