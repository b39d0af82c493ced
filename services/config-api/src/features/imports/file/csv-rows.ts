import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { fileProblem } from './file-problem';
import type { ImportMapping } from './import-mapping';
import { maxRowSize, type ParsedRow, readableRow, unreadable } from './parsed-row';

export interface CsvOptions {
  delimiter: string;
  /** null: the column `external_id`, and all others. */
  mapping: ImportMapping | null;
}

/** The columns of a file, by their places. */
interface Columns {
  count: number;
  externalId: number;
  properties: readonly (readonly [name: string, place: number])[];
}

/**
 * The rows of a CSV file with a header. All values are text. A row with another number of cells than the header cannot be read,
 * and the rest goes on; empty lines are no rows.
 * @throws HttpError 422 at `file` for its header, and for a quoted cell that does not end
 */
export async function* csvRows(text: AsyncIterable<string>, { delimiter, mapping }: CsvOptions): AsyncGenerator<ParsedRow> {
  const parser = parse({
    delimiter, info: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'], max_record_size: maxRowSize,
  });
  const source = Readable.from(text, { objectMode: false, encoding: 'utf8' });
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let columns: Columns | undefined;
  let at = 1;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      at = info.lines + 1;
      if (columns) yield rowOf(record, info.lines - breaksIn(record), columns);
      else columns = columnsOf(record, mapping);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw fileProblem('csv_invalid', `The quoted cell that begins in or after line ${at} has no end`);
  } finally {
    source.destroy();
  }
  if (!columns) throw fileProblem('no_rows', 'The file has no header');
}

/** Line breaks within quoted cells: the number that the parser gives is that of the last line. */
const breaksIn = (record: readonly string[]): number =>
  record.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);

function rowOf(record: readonly string[], line: number, { count, externalId, properties }: Columns): ParsedRow {
  if (record.length !== count) return unreadable(line, `the row has ${record.length} cells, the header ${count}`);
  return readableRow(line, record[externalId], Object.fromEntries(properties.map(([name, place]) => [name, record[place]])));
}

function columnsOf(header: readonly string[], mapping: ImportMapping | null): Columns {
  const places = new Map<string, number>();
  header.forEach((name, place) => {
    if (name === '') throw fileProblem('column_unnamed', `Column ${place + 1} of the header has no name`);
    if (places.has(name)) throw fileProblem('column_duplicate', `The header has the column ${JSON.stringify(name)} twice`);
    places.set(name, place);
  });
  const placeOf = (name: string): number => {
    const place = places.get(name);
    if (place === undefined) throw fileProblem('column_missing', `The header has no column ${JSON.stringify(name)}`);
    return place;
  };
  const externalId = placeOf(mapping?.externalId ?? 'external_id');
  const properties = mapping?.properties
    ? [...mapping.properties].map(([name, column]) => [name, placeOf(column)] as const)
    : [...places].filter(([, place]) => place !== externalId);
  return { count: header.length, externalId, properties };
}
