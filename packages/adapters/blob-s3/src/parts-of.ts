import type { ByteSource } from '@sluice/ports';

/** The bytes of a source in parts of `bytes`, the last one shorter; none when there are no bytes. */
export async function* partsOf(source: ByteSource, bytes: number): AsyncGenerator<Buffer, void, undefined> {
  let part = Buffer.allocUnsafe(bytes);
  let filled = 0;
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; ) {
      const taken = Math.min(bytes - filled, chunk.length - at);
      part.set(chunk.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
      if (filled < bytes) continue;
      yield part;
      part = Buffer.allocUnsafe(bytes);
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}
