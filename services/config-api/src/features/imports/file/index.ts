import { decodeUtf8 } from './decode-utf8';
import { csvRows } from './csv-rows';
import { fileProblem } from './file-problem';
import type { ImportMapping } from './import-mapping';
import { jsonlRows } from './jsonl-rows';
import type { ParsedRow } from './parsed-row';

export { type ImportMapping, readMapping } from './import-mapping';
export type { ParsedRow } from './parsed-row';

export type ImportFormat = 'csv' | 'jsonl';

/** The format of a file by its name. @throws HttpError 422 at `file` for another kind of file */
export function formatOf(filename: string | null): ImportFormat {
  const [, extension] = /\.([^.]*)$/.exec(filename ?? '') ?? [];
  const format = extension?.toLowerCase();
  if (format === 'csv' || format === 'jsonl') return format;
  throw fileProblem('file_kind', 'The name of the file must end in .csv or .jsonl');
}

/**
 * The rows of a file in their order, as they are read.
 * @throws HttpError 422 at `file`
 */
export function fileRows(
  bytes: AsyncIterable<Uint8Array>, format: ImportFormat, options: { delimiter: string; mapping: ImportMapping | null },
): AsyncIterable<ParsedRow> {
  const text = decodeUtf8(bytes);
  return format === 'csv' ? csvRows(text, options) : jsonlRows(text, options.mapping);
}
