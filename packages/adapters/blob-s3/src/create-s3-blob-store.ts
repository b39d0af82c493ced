import type { S3Client } from '@aws-sdk/client-s3';
import { type BlobStore, BlobStoreUnavailable, isBlobKey } from '@sluice/ports';
import { deleteOlderObjects } from './delete-older-objects';

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
}

/** The SDK is loaded with the first call: an installation that keeps its blobs in a folder never pays for it. */
type Sdk = typeof import('@aws-sdk/client-s3');

/** Tries that the SDK makes by itself, all within `timeoutMs`. */
const maxAttempts = 3;
/** Sockets to the store of one process. */
const maxSockets = 64;

/**
 * Blobs as objects of one bucket, which must exist. Errors of the SDK are not passed on, because they may show the request; only
 * the name and status of a refusal are.
 */
export function createS3BlobStore({ timeoutMs = 5_000, pageSize = 1_000, ...options }: S3BlobStoreOptions): BlobStore {
  const { bucket: Bucket } = options;
  let opened: Promise<{ sdk: Sdk; client: S3Client }> | undefined;
  const open = () =>
    (opened ??= import('@aws-sdk/client-s3').then((sdk) => ({ sdk, client: new sdk.S3Client(clientOptions(options)) })));
  const guard = <T,>(
    key: string,
    work: (s3: { sdk: Sdk; client: S3Client }, call: { abortSignal: AbortSignal }) => Promise<T>,
  ) => {
    if (!isBlobKey(key)) return Promise.reject(new Error(`Not a blob key: ${JSON.stringify(key)}`));
    return withinTime(timeoutMs, async (abortSignal) => work(await open(), { abortSignal }));
  };
  return {
    put: (key, bytes) => {
      // A copy, because the caller may change its buffer while the SDK sends it.
      const Body = Buffer.from(bytes);
      return guard(key, async ({ sdk, client }, call) => {
        await client.send(new sdk.PutObjectCommand({ Bucket, Key: key, Body, ContentLength: Body.length }), call);
      });
    },
    get: (key) =>
      guard(key, async ({ sdk, client }, call) => {
        try {
          const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket, Key: key }), call);
          return Body ? Buffer.from(await Body.transformToByteArray()) : Buffer.alloc(0);
        } catch (error) {
          if ((error as Error).name === 'NoSuchKey') return null;
          throw error;
        }
      }),
    delete: (key) =>
      guard(key, async ({ sdk, client }, call) => {
        await client.send(new sdk.DeleteObjectCommand({ Bucket, Key: key }), call);
      }),
    deleteOlderThan: async (folder, before) => {
      const bounded: BoundedSend = (command) => guard(folder, ({ sdk, client }, call) => command(sdk, client, call));
      return deleteOlderObjects({ bucket: Bucket, folder, before, pageSize }, bounded);
    },
  };
}

/** Each call of the client has the timeout of one call; the whole deletion may take longer. */
export type BoundedSend = <T>(
  command: (sdk: Sdk, client: S3Client, call: { abortSignal: AbortSignal }) => Promise<T>,
) => Promise<T>;

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

/** Runs a call including the reading of its answer, or gives up. @throws BlobStoreUnavailable for every failure */
async function withinTime<T>(timeoutMs: number, work: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new BlobStoreUnavailable(`The bucket has not answered within ${timeoutMs} ms.`));
      abort.abort();
    }, timeoutMs);
  });
  try {
    return await Promise.race([work(abort.signal), late]);
  } catch (error) {
    if (error instanceof BlobStoreUnavailable) throw error;
    throw new BlobStoreUnavailable(`The bucket cannot be used: ${nameOf(error)}`);
  } finally {
    clearTimeout(timer);
  }
}

/** The name of the refusal (`AccessDenied`, `NoSuchBucket`) or of the connection error, and the HTTP status. */
function nameOf(error: unknown): string {
  const { name, code, $metadata } = error as { name?: string; code?: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  return `${code ?? name ?? 'unknown error'}${status === undefined ? '' : ` (status ${status})`}`;
}
