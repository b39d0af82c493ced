import { createHash } from 'node:crypto';
import type { ByteSource } from '@sluice/ports';

/** What is known of a file once it was written. */
export interface FileFacts {
  bytes: number;
  sha256: string;
  /** Lines of a file of JSON Lines. */
  records: number;
}

const lineBreak = 0x0a;

/**
 * Passes the bytes of a file on and counts them.
 * @param counted called with the number of lines of each chunk; may stop the file by throwing
 */
export class CountedFile {
  private readonly hash = createHash('sha256');
  private bytes = 0;
  private records = 0;

  constructor(private readonly source: ByteSource, private readonly counted: (lines: number) => void) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.source) {
      const lines = linesIn(chunk);
      this.hash.update(chunk);
      this.bytes += chunk.length;
      this.records += lines;
      this.counted(lines);
      yield chunk;
    }
  }

  /** To be asked once, when all has passed. */
  facts(): FileFacts {
    return { bytes: this.bytes, sha256: this.hash.digest('hex'), records: this.records };
  }
}

function linesIn(chunk: Uint8Array): number {
  let lines = 0;
  for (let at = chunk.indexOf(lineBreak); at >= 0; at = chunk.indexOf(lineBreak, at + 1)) lines += 1;
  return lines;
}
