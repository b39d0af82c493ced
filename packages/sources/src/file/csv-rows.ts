import { Readable } from 'node:stream';
import { type CsvError, type InfoRecord, parse, type Parser } from 'csv-parse';
import { CsvLines } from './csv-lines';
import { type FileRow, FileUnreadable } from './file-row';
import { maxLine } from './text-lines';

const [maxColumns, maxHeading] = [1_000, 256];

/** A row that the parser could read, with the line in which it began. */
interface ParsedRow {
  record: string[];
  line: number;
}

/**
 * The rows of a CSV text, each an object by the headings of its first line. Cells are texts. Quotes within a cell that should not
 * be there are text: a refusal of the row would begin a quoted cell in the middle of it, which takes the next rows. A row that
 * cannot be read may be told of before rows that stand above it.
 * @throws FileUnreadable when the headings cannot be used
 */
export async function* csvRows(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<FileRow> {
  const bad: FileRow[] = [];
  const lines = new CsvLines();
  const parser = parserOf(delimiter, lines, (error) => bad.push({ line: lines.ofNextRow(), problem: problemOf(error) }));
  const source = Readable.from(noted(text, lines));
  source.once('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let headings: string[] | null = null;
  try {
    for await (const { record, line } of parser as AsyncIterable<ParsedRow>) {
      yield* bad.splice(0);
      if (headings === null) headings = headingsOf(record);
      else yield rowOf(headings, record, line);
    }
  } finally {
    source.destroy();
  }
  if (headings === null && bad.length > 0) throw new FileUnreadable('its first line cannot be read');
  yield* bad.splice(0);
}

async function* noted(text: AsyncIterable<string>, lines: CsvLines): AsyncGenerator<Buffer> {
  for await (const piece of text) {
    const bytes = Buffer.from(piece);
    lines.note(bytes);
    yield bytes;
  }
}

const parserOf = (delimiter: string, lines: CsvLines, skipped: (error: CsvError) => void): Parser => parse({
  delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, skip_records_with_error: true,
  max_record_size: maxLine, record_delimiter: ['\r\n', '\n'],
  on_record: withLine(lines) as unknown as (record: string[], info: InfoRecord) => string[],
  on_skip: (error) => {
    if (error) skipped(error);
    return undefined;
  },
});

/** Whatever it gives is what the parser yields, although its types know of texts alone. */
const withLine = (lines: CsvLines) => (record: string[], { bytes }: InfoRecord): ParsedRow =>
  ({ record, line: lines.ofRow(bytes, breaksIn(record)) });

const breaksIn = (record: readonly string[]): number =>
  record.reduce((sum, cell) => sum + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0);

const problems: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  CSV_MAX_RECORD_SIZE: 'the row is too long',
};
const problemOf = ({ code }: CsvError): string => problems[code] ?? 'the row cannot be read';

function headingsOf(record: readonly string[]): string[] {
  const headings = record.map((heading) => heading.trim());
  if (headings.length > maxColumns) throw new FileUnreadable(`it has more than ${maxColumns} columns`);
  const long = headings.find((heading) => heading.length > maxHeading);
  if (long !== undefined) throw new FileUnreadable(`a heading is longer than ${maxHeading} characters`);
  const empty = headings.indexOf('');
  if (empty !== -1) throw new FileUnreadable(`column ${empty + 1} has no heading`);
  const twice = headings.find((heading, index) => headings.indexOf(heading) !== index);
  if (twice !== undefined) throw new FileUnreadable(`the heading '${twice}' is there twice`);
  return headings;
}

function rowOf(headings: readonly string[], record: readonly string[], line: number): FileRow {
  if (record.length !== headings.length)
    return { line, problem: `it has ${record.length} cells, the heading line has ${headings.length}` };
  // Object.fromEntries keeps a heading such as `__proto__` as a field of its own.
  return { line, value: Object.fromEntries(headings.map((heading, index) => [heading, record[index]!])) };
}
