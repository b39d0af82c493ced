import type { ByteSource } from '@sluice/ports';

/** A line is longer than it may be, or not UTF-8. */
export class UnreadableLine extends Error {
  override name = 'UnreadableLine';
}

const lineBreak = 0x0a;

/**
 * The lines of a file in UTF-8, without their breaks; the last one need not have one.
 * @param longest bytes of a line
 * @throws UnreadableLine
 */
export async function* linesOf(source: ByteSource, longest: number): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let begun: Uint8Array[] = [];
  let size = 0;
  const take = (part: Uint8Array): void => {
    size += part.length;
    if (size > longest) throw new UnreadableLine(`a line has more than ${longest} bytes`);
    begun.push(part);
  };
  const text = (): string => {
    const whole = begun.length === 1 ? (begun[0] as Uint8Array) : Buffer.concat(begun);
    begun = [];
    size = 0;
    try {
      return decoder.decode(whole);
    } catch {
      throw new UnreadableLine('a line is not UTF-8');
    }
  };
  for await (const chunk of source) {
    let from = 0;
    for (let at = chunk.indexOf(lineBreak); at >= 0; at = chunk.indexOf(lineBreak, from)) {
      take(chunk.subarray(from, at));
      yield text();
      from = at + 1;
    }
    // A copy, because who gives the chunks may use its memory again.
    if (from < chunk.length) take(Buffer.from(chunk.subarray(from)));
  }
  if (size > 0) yield text();
}
