import type { S3Client } from '@aws-sdk/client-s3';
import { BlobStoreUnavailable } from '@sluice/ports';

/** The SDK is loaded with the first call: an installation that keeps its blobs in a folder never pays for it. */
export type Sdk = typeof import('@aws-sdk/client-s3');

/** Work with the client that ends within a time limit; its signal ends what is still under way then. */
export type S3Work<T> = (sdk: Sdk, client: S3Client, call: { abortSignal: AbortSignal }) => Promise<T>;

/** Runs work with the client. @throws BlobStoreUnavailable for every failure, and when it takes longer than `ms` */
export type BoundedSend = <T>(work: S3Work<T>, ms?: number) => Promise<T>;

/** @param timeoutMs milliseconds that work may take where it does not say so itself, its repeats included */
export function createBoundedSend(open: () => Promise<{ sdk: Sdk; client: S3Client }>, timeoutMs: number): BoundedSend {
  return (work, ms = timeoutMs) =>
    withinTime(ms, async (abortSignal) => {
      const { sdk, client } = await open();
      return work(sdk, client, { abortSignal });
    });
}

/** Runs a call including the reading of its answer, or gives up. @throws BlobStoreUnavailable for every failure */
export async function withinTime<T>(timeoutMs: number, work: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
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
    throw unavailable(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Errors of the SDK are not passed on, because they may show the request; only the name and status of a refusal are. */
export function unavailable(error: unknown): BlobStoreUnavailable {
  if (error instanceof BlobStoreUnavailable) return error;
  return new BlobStoreUnavailable(`The bucket cannot be used: ${nameOf(error)}`);
}

/** The name of the refusal (`AccessDenied`, `NoSuchBucket`) or of the connection error, and the HTTP status. */
function nameOf(error: unknown): string {
  const { name, code, $metadata } = error as { name?: string; code?: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  return `${code ?? name ?? 'unknown error'}${status === undefined ? '' : ` (status ${status})`}`;
}
