const lineFeed = 10;
const carriageReturn = 13;

/** A line that ended: the offset behind its line feed. The parser passes over an empty one that no row holds. */
interface EndedLine {
  end: number;
  isEmpty: boolean;
}

/**
 * The physical lines in which the rows of a CSV text begin, from 1, by the offsets up to which a parser has read it. The parser
 * counts lines itself, but takes a CRLF within quotes for two. Lines are kept only while no row has ended behind them.
 */
export class CsvLines {
  private ended: EndedLine[] = [];
  /** Lines of `ended` that lie before the end of the last row. */
  private done = 0;
  /** Lines before those of `ended`. */
  private passed = 0;
  private read = 0;
  private lineStart = 0;
  private last = 0;

  /** Notes the next bytes of the text, before the parser gets them. */
  note(bytes: Uint8Array): void {
    for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) {
      const end = this.read + at + 1;
      const before = at > 0 ? bytes[at - 1]! : this.last;
      const length = end - 1 - this.lineStart;
      this.ended.push({ end, isEmpty: length === 0 || (length === 1 && before === carriageReturn) });
      this.lineStart = end;
    }
    this.read += bytes.length;
    if (bytes.length > 0) this.last = bytes.at(-1)!;
  }

  /**
   * @param end the offset behind the row and its line break
   * @param breaks line breaks within the row
   * @returns the line in which a row began that ended there
   */
  ofRow(end: number, breaks: number): number {
    while (this.done < this.ended.length && this.ended[this.done]!.end <= end) this.done += 1;
    const isTerminated = this.done > 0 && this.ended[this.done - 1]!.end === end;
    const line = this.passed + this.done + (isTerminated ? 0 : 1) - breaks;
    if (this.done * 2 > this.ended.length) this.forget();
    return line;
  }

  /** @returns the line in which the row began that follows the last one that ended */
  ofNextRow(): number {
    let next = this.done;
    while (next < this.ended.length && this.ended[next]!.isEmpty) next += 1;
    return this.passed + next + 1;
  }

  private forget(): void {
    this.passed += this.done;
    this.ended = this.ended.slice(this.done);
    this.done = 0;
  }
}
