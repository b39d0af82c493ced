import { type FileRow, FileUnreadable, jsonRow } from './file-row';
import { maxLine } from './text-lines';

/**
 * The elements of a JSON list, or the one object that a file is. Only brackets and strings are looked at to find where an element
 * ends, so that one that is not JSON leaves the others readable, and memory holds one element.
 */
export async function* jsonElements(pieces: AsyncIterable<string>): AsyncGenerator<FileRow> {
  const splitter = new ElementSplitter();
  for await (const piece of pieces) yield* splitter.take(piece);
  yield* splitter.end();
}

type State = 'before' | 'in list' | 'one object' | 'ended';

/**
 * Splits a text that comes in pieces. Invariant: `text` is the beginning of the element under way, which began at line
 * `startedAt`; `depth` counts its open brackets.
 */
class ElementSplitter {
  private state: State = 'before';
  private text = '';
  private isCut = false;
  private startedAt = 1;
  private line = 1;
  private depth = 0;
  private inString = false;
  private escaped = false;

  * take(piece: string): Generator<FileRow> {
    for (const char of piece) {
      if (char === '\n') this.line += 1;
      yield* this.next(char);
    }
  }

  /** @throws FileUnreadable */
  * end(): Generator<FileRow> {
    if (this.state === 'one object' && this.depth === 0) yield this.element();
    else if (this.state === 'in list' || this.state === 'one object') throw new FileUnreadable(`it ends within ${this.text.trim() === '' ? 'its list' : `the element of line ${this.startedAt}`}`);
  }

  private* next(char: string): Generator<FileRow> {
    if (this.state === 'before') return void this.begin(char);
    if (this.state === 'ended') return void this.assertBlank(char);
    if (this.inString) return void this.inText(char);
    if (this.depth === 0 && this.state === 'in list' && (char === ',' || char === ']')) {
      if (this.text.trim() !== '') yield this.element();
      else if (char === ',') yield { line: this.line, problem: 'there is no element before a comma' };
      if (char === ']') this.state = 'ended';
      return;
    }
    if (this.text === '' && isBlank(char)) return;
    if (this.text === '') this.startedAt = this.line;
    if (char === '"') this.inString = true;
    else if (char === '{' || char === '[') this.depth += 1;
    else if (char === '}' || char === ']') this.depth -= 1;
    this.add(char);
  }

  private begin(char: string): void {
    if (isBlank(char)) return;
    if (char !== '[' && char !== '{') throw new FileUnreadable('it is neither a JSON list nor a JSON object');
    this.state = char === '[' ? 'in list' : 'one object';
    this.startedAt = this.line;
    if (char === '{') {
      this.depth = 1;
      this.add(char);
    }
  }

  private inText(char: string): void {
    this.add(char);
    if (this.escaped) this.escaped = false;
    else if (char === '\\') this.escaped = true;
    else if (char === '"') this.inString = false;
  }

  private add(char: string): void {
    if (this.text.length < maxLine) this.text += char;
    else this.isCut = true;
  }

  private element(): FileRow {
    const [line, text, isCut] = [this.startedAt, this.text, this.isCut];
    [this.text, this.isCut, this.depth] = ['', false, 0];
    return isCut ? { line, problem: 'the element is too long' } : jsonRow(line, text);
  }

  private assertBlank(char: string): void {
    if (!isBlank(char)) throw new FileUnreadable(`something follows the end of the list in line ${this.line}`);
  }
}

const isBlank = (char: string): boolean => char === ' ' || char === '\n' || char === '\r' || char === '\t';
