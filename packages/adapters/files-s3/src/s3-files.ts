import type { _Object as Listed } from '@aws-sdk/client-s3';
import { type S3Place, type WatchedFile, type WatchedFiles, type WatchedFilesOpener,
  WatchedFilesUnreadable } from '@sluice/ports';
import { S3Calls, type S3FilesOptions } from './s3-calls';
import { type ListedObject, S3Object } from './s3-object';

/** Pages of one listing. A prefix may hold so many hidden objects. */
const maxPages = 100;
/** Of a key, in bytes, and of an etag, in characters. */
const [maxKey, maxEtag] = [1_024, 256];

/** Prefixes of buckets at the addresses that the options allow. */
export function createS3Files(options: S3FilesOptions): WatchedFilesOpener<S3Place> {
  return { open: (place) => Promise.resolve().then(() => new S3Files(place, options)) };
}

/** The objects of a prefix. Invariant: `listed` has what `names` showed, in the state of that time. */
class S3Files implements WatchedFiles {
  private readonly calls: S3Calls;
  private readonly listed = new Map<string, ListedObject>();
  private readonly pageSize: number;

  constructor(private readonly place: S3Place, options: S3FilesOptions) {
    this.calls = new S3Calls(place, options);
    this.pageSize = options.pageSize ?? 1_000;
  }

  async names(most: number, signal: AbortSignal): Promise<string[]> {
    this.listed.clear();
    let from: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const { Contents = [], NextContinuationToken } = await this.page(from, signal);
      for (const object of Contents.flatMap((one) => this.readable(one))) {
        if (this.listed.size < most) this.listed.set(object.key, object);
      }
      from = NextContinuationToken;
      if (from === undefined || this.listed.size >= most) return [...this.listed.keys()];
    }
    throw new WatchedFilesUnreadable(`the bucket '${this.place.bucket}' has too many objects below the prefix`);
  }

  file(name: string): Promise<WatchedFile | null> {
    const object = this.listed.get(name);
    return Promise.resolve(object ? new S3Object(this.calls, this.place.bucket, object) : null);
  }

  close(): Promise<void> {
    return this.calls.close();
  }

  private page(from: string | undefined, signal: AbortSignal) {
    const { bucket: Bucket, prefix: Prefix } = this.place;
    const input = { Bucket, Prefix, MaxKeys: this.pageSize, ...(from !== undefined && { ContinuationToken: from }) };
    return this.calls.send(signal, (sdk, client, call) => client.send(new sdk.ListObjectsV2Command(input), call));
  }

  /** The object when it is a file: keys that end with a slash stand for folders. The service may answer anything. */
  private readable({ ETag: etag, Key: key, Size: bytes }: Listed): ListedObject[] {
    if (key === undefined || Buffer.byteLength(key) > maxKey || !key.startsWith(this.place.prefix)) return [];
    if (key.endsWith('/') || key.split('/').at(-1)!.startsWith('.')) return [];
    if (etag === undefined || etag.length > maxEtag || !Number.isSafeInteger(bytes) || bytes! < 0) return [];
    return [{ key, etag, bytes: bytes! }];
  }
}
