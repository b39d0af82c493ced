import type { S3Client } from '@aws-sdk/client-s3';
import { type S3Place, WatchedFileChanged, WatchedFilesUnreadable } from '@sluice/ports';
import { type AddressCheck, type AddressCheckOptions, createAddressCheck, PrivateTargetError } from '@sluice/rest-client';

export interface S3FilesOptions extends AddressCheckOptions {
  /** Milliseconds that a call may take with its repeats, and that the next bytes of an object may take. Default 30,000. */
  timeoutMs?: number;
  /** Objects that one listing shows. Default: 1,000, the most that S3 shows. */
  pageSize?: number;
}

/** The SDK is loaded with the first call: an installation without such sources never pays for it. */
export type Sdk = typeof import('@aws-sdk/client-s3');
export type S3Work<T> = (sdk: Sdk, client: S3Client, call: { abortSignal: AbortSignal }) => Promise<T>;

/** Tries that the SDK makes by itself, all within the time of the call. */
const maxAttempts = 2;
const maxSockets = 4;
/** Bytes of an answer that is no object: 1,000 keys of 1,024 bytes, each byte of which XML may write in six. */
const maxAnswerBytes = 8 * 1024 * 1024;

/**
 * Calls to the service of one place, whose address its owner chose: every connection goes to an address that was checked,
 * redirects are not followed, every call ends in time, and answers are bounded.
 */
export class S3Calls {
  private opened: Promise<{ sdk: Sdk; client: S3Client }> | undefined;
  private readonly addresses: AddressCheck;
  readonly timeoutMs: number;

  /** @throws WatchedFilesUnreadable when the endpoint may not be called */
  constructor(private readonly place: S3Place, { timeoutMs = 30_000, ...addresses }: S3FilesOptions) {
    this.timeoutMs = timeoutMs;
    this.addresses = createAddressCheck(addresses);
    const endpoint = new URL(place.endpoint);
    if (this.addresses.isRefused(endpoint)) throw new WatchedFilesUnreadable(refusedAddress(endpoint.hostname));
  }

  /** @throws WatchedFilesUnreadable, WatchedFileChanged, the reason of the signal */
  async send<T>(signal: AbortSignal, work: S3Work<T>): Promise<T> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.timeoutMs);
    try {
      const { sdk, client } = await (this.opened ??= this.client());
      return await work(sdk, client, { abortSignal: AbortSignal.any([signal, late.signal]) });
    } catch (error) {
      signal.throwIfAborted();
      throw late.signal.aborted ? this.tooLate() : this.failureOf(error);
    } finally {
      // The bytes of an object come after the answer, and have a time limit of their own.
      clearTimeout(timer);
    }
  }

  tooLate(): WatchedFilesUnreadable {
    return new WatchedFilesUnreadable(`the bucket '${this.place.bucket}' has not answered within ${this.timeoutMs / 1_000} s`);
  }

  /** What a failure means. Errors of the SDK are not shown, because they may hold the request: only the name of a refusal is. */
  failureOf(error: unknown): Error {
    if (error instanceof WatchedFilesUnreadable || error instanceof WatchedFileChanged) return error;
    if (error instanceof PrivateTargetError) return new WatchedFilesUnreadable(refusedAddress(error.hostname));
    const { name = '', code, $metadata } = error as { name?: string; code?: string; $metadata?: { httpStatusCode?: number } };
    const status = $metadata?.httpStatusCode;
    if (name === 'NoSuchKey' || status === 412) return new WatchedFileChanged('the object is not there any more');
    const given = code ?? name;
    // The service may answer any text in place of a name.
    const shown = /^[\w.-]{1,64}$/.test(given) ? given : 'unknown error';
    const region = name === 'PermanentRedirect' || name === 'AuthorizationHeaderMalformed' ? "; 'region' may be another one" : '';
    const known = status === undefined ? '' : ` (status ${status})`;
    return new WatchedFilesUnreadable(`the bucket '${this.place.bucket}' cannot be read: ${shown}${known}${region}`);
  }

  async close(): Promise<void> {
    const opened = await this.opened?.catch(() => undefined);
    opened?.client.destroy();
  }

  private async client(): Promise<{ sdk: Sdk; client: S3Client }> {
    const sdk = await import('@aws-sdk/client-s3');
    const { credentials, endpoint, region } = this.place;
    const client = new sdk.S3Client({
      maxAttempts, credentials, endpoint, region, forcePathStyle: true,
      requestHandler: this.addresses.checkedAgents(maxSockets),
      streamCollector: collect,
      // Services other than AWS support only the older checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED',
    });
    return { sdk, client };
  }
}

const refusedAddress = (hostname: string): string =>
  `the endpoint '${hostname}' is, or leads to, an address that may not be called`;

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw new WatchedFilesUnreadable('an answer of the service is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
