import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { BlobStoreUnavailable, type ByteRange } from '@sluice/ports';
import type { BoundedCalls } from './bounded-calls';

const chunkBytes = 262_144;

/** Bytes of an open file as a stream, which closes the file. A file that is shorter than its range breaks the stream. */
export function readFileRange(file: FileHandle, { start, end }: ByteRange, guarded: BoundedCalls): Readable {
  let at = start;
  return new Readable({
    highWaterMark: chunkBytes,
    read() {
      const wanted = Math.min(chunkBytes, end + 1 - at);
      if (wanted <= 0) return void this.push(null);
      guarded(() => file.read(Buffer.allocUnsafe(wanted), 0, wanted, at)).then(
        ({ bytesRead, buffer }) => {
          if (bytesRead === 0) return void this.destroy(new BlobStoreUnavailable('The file of the blob ended before its range did.'));
          at += bytesRead;
          this.push(buffer.subarray(0, bytesRead));
        },
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      guarded(() => file.close()).then(() => done(error), () => done(error));
    },
  });
}
