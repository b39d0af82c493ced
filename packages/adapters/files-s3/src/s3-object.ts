import { addAbortSignal, type Readable } from 'node:stream';
import { type WatchedFile, WatchedFileChanged, WatchedFilesUnreadable } from '@sluice/ports';
import type { S3Calls } from './s3-calls';

/** An object as a listing shows it. */
export interface ListedObject {
  key: string;
  /** Names the content. */
  etag: string;
  bytes: number;
}

/** An object in the state that was listed: S3 refuses to read another content of its key. */
export class S3Object implements WatchedFile {
  readonly bytes: number;
  readonly state: string;
  /** An upload is one object, which appears when it is complete. */
  readonly changedAt = null;

  constructor(private readonly calls: S3Calls, private readonly bucket: string, private readonly object: ListedObject) {
    this.bytes = object.bytes;
    this.state = `${object.etag} ${object.bytes}`;
  }

  async *read(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const body = addAbortSignal(signal, await this.open(signal));
    const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    let left = this.bytes;
    try {
      for (;;) {
        const { done, value } = await this.next(chunks);
        if (done) break;
        left -= value.length;
        if (left < 0) throw new WatchedFilesUnreadable(`the object '${this.object.key}' is longer than its listing says`);
        yield value;
      }
    } catch (error) {
      signal.throwIfAborted();
      throw this.calls.failureOf(error);
    } finally {
      body.destroy();
    }
    if (left > 0) throw new WatchedFilesUnreadable(`the answer with the object '${this.object.key}' was cut`);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private open(signal: AbortSignal): Promise<Readable> {
    const input = { Bucket: this.bucket, Key: this.object.key, IfMatch: this.object.etag };
    return this.calls.send(signal, async (sdk, client, call) => {
      const { Body, ETag } = await client.send(new sdk.GetObjectCommand(input), call);
      // A service may not know the condition.
      if (ETag !== undefined && ETag !== this.object.etag) {
        (Body as Readable | undefined)?.destroy();
        throw new WatchedFileChanged(this.object.key);
      }
      if (!Body) throw new WatchedFilesUnreadable('an answer without a body');
      return Body as Readable;
    });
  }

  /** The next bytes, within the time limit from when they are asked for. */
  private async next(chunks: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(this.calls.tooLate()), this.calls.timeoutMs);
    });
    try {
      return await Promise.race([chunks.next(), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
