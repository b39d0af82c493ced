import type { Readable } from 'node:stream';
import { csvRows } from './csv-rows';
import { type FileRow, jsonRow } from './file-row';
import type { FileConfig } from './file.source';
import { jsonElements } from './json-elements';
import { textLines } from './text-lines';

/**
 * The rows of a file, in flat memory.
 * @throws FileUnreadable
 */
export function fileRows(bytes: AsyncIterable<Uint8Array> | Readable, config: FileConfig): AsyncGenerator<FileRow> {
  const text = decoded(bytes, config.encoding ?? 'utf-8');
  switch (config.format) {
    case 'jsonl': return jsonLines(text);
    case 'json': return jsonElements(text);
    default: return csvRows(text, config.delimiter ?? ',');
  }
}

/** A byte order mark is left out; bytes that are no text of the encoding become U+FFFD. */
async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}

async function* jsonLines(text: AsyncIterable<string>): AsyncGenerator<FileRow> {
  for await (const { isCut, number: line, text: one } of textLines(text)) {
    if (isCut) yield { line, problem: 'the line is too long' };
    else if (one.trim() !== '') yield jsonRow(line, one);
  }
}
