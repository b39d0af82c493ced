import { Readable } from 'node:stream';
import { type CsvError, type Info, parse, type Parser } from 'csv-parse';
import { type FileRow, FileUnreadable } from './file-row';
import { maxLine } from './text-lines';

const [maxColumns, maxHeading] = [1_000, 256];

/** What the parser gives for a row that it could read. */
interface ParsedRow {
  record: string[];
  info: Info & { lines: number };
}

/**
 * The rows of a CSV text, each an object by the headings of its first line. Cells are texts. Quotes within a cell that should not
 * be there are text: a refusal of the row would begin a quoted cell in the middle of it, which takes the next rows. A row that
 * cannot be read may be told of before rows that stand above it.
 * @throws FileUnreadable when the headings cannot be used
 */
export async function* csvRows(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<FileRow> {
  const bad: FileRow[] = [];
  const parser = parserOf(delimiter, (error, raw) => bad.push({ line: lineOfBad(error, raw), problem: problemOf(error) }));
  const source = Readable.from(text);
  source.once('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let headings: string[] | null = null;
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedRow>) {
      yield* bad.splice(0);
      if (headings === null) headings = headingsOf(record);
      else yield rowOf(headings, record, lineOf(record, info));
    }
  } finally {
    source.destroy();
  }
  if (headings === null && bad.length > 0) throw new FileUnreadable('its first line cannot be read');
  yield* bad.splice(0);
}

const parserOf = (delimiter: string, skipped: (error: CsvError, raw: string) => void): Parser => parse({
  delimiter, info: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, skip_records_with_error: true,
  max_record_size: maxLine, record_delimiter: ['\r\n', '\n'],
  on_skip: (error, raw) => {
    if (error) skipped(error, raw ?? '');
    return undefined;
  },
});

/** The parser counts the lines that it has begun; those within quotes belong to their row. */
const lineOf = (record: readonly string[], { lines }: { lines: number }): number =>
  lines - record.reduce((sum, cell) => sum + breaksIn(cell), 0);
const breaksIn = (cell: string): number => (cell.includes('\n') ? cell.split('\n').length - 1 : 0);
const lineOfBad = (error: CsvError, raw: string): number => {
  const { lines } = error as unknown as { lines?: number };
  return Math.max(1, (lines ?? 1) - breaksIn(raw.trimEnd()));
};

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
