/** A line of a text, with its number from 1. */
export interface TextLine {
  number: number;
  text: string;
  /** Its end was cut off, because it is longer than a line may be. */
  isCut: boolean;
}

/** Characters of a line at most. */
export const maxLine = 1024 * 1024;

/** The lines of a text that comes in pieces. Memory is bounded: what is behind `maxLine` characters of a line is passed over. */
export async function* textLines(pieces: AsyncIterable<string>): AsyncGenerator<TextLine> {
  let [rest, number, isCut] = ['', 1, false];
  const lineOf = (text: string): TextLine => ({ number: number++, text: text.endsWith('\r') ? text.slice(0, -1) : text, isCut });
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', from)) {
      const text = rest + piece.slice(from, end);
      isCut ||= text.length > maxLine;
      yield lineOf(text.slice(0, maxLine));
      [rest, from, isCut] = ['', end + 1, false];
    }
    rest += piece.slice(from);
    if (rest.length > maxLine) [rest, isCut] = [rest.slice(0, maxLine), true];
  }
  if (rest !== '') yield lineOf(rest);
}
