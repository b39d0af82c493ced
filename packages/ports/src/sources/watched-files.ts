/** Where a file source looks for files. */
export type WatchedPlace =
  /** `path`: components below the root of watched folders; the first is the organization's folder. */
  | { kind: 'folder'; path: readonly string[] }
  | S3Place;

/** Objects of a bucket whose keys begin with a prefix, read with a key of the organization. */
export interface S3Place {
  kind: 's3';
  bucket: string;
  prefix: string;
  region: string;
  /** URL of the service; the bucket is in the path of each request. */
  endpoint: string;
  /** Secret. */
  credentials: { accessKeyId: string; secretAccessKey: string };
}

/** The place or its file cannot be read; the message is for the owner of the source. */
export class WatchedFilesUnreadable extends Error {
  override readonly name = 'WatchedFilesUnreadable';
}

/** The file changed, or went away, since it was looked at. */
export class WatchedFileChanged extends Error {
  override readonly name = 'WatchedFileChanged';
}

/** A file in one state. */
export interface WatchedFile {
  bytes: number;
  /** Another text whenever the content may be another one. */
  state: string;
  /** When it was written last; null: files of this place appear as a whole. */
  changedAt: Date | null;
  /**
   * The content in this state, from its beginning with each call, never more than `bytes`. Ends with the reason of the signal.
   * @throws WatchedFileChanged, at the end at the latest; WatchedFilesUnreadable
   */
  read(signal: AbortSignal): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** The files of one place. */
export interface WatchedFiles {
  /**
   * Names in the order of their bytes, without those whose last component begins with a dot, at most so many.
   * @throws WatchedFilesUnreadable
   */
  names(most: number, signal: AbortSignal): Promise<string[]>;
  /** A file of `names`; null: it is not there any more, or it is no regular file. */
  file(name: string): Promise<WatchedFile | null>;
  close(): Promise<void>;
}

/** Opens places. Adapters: a folder, S3; twin: in memory. */
export interface WatchedFilesOpener<Place extends WatchedPlace = WatchedPlace> {
  /** @throws WatchedFilesUnreadable */
  open(place: Place): Promise<WatchedFiles>;
}
