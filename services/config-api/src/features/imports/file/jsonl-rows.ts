import type { ImportMapping } from './import-mapping';
import { maxRowSize, type ParsedRow, readableRow, unreadable } from './parsed-row';

/**
 * The rows of a JSON Lines file. Empty lines are no rows; a line that cannot be read does not stop the others.
 * @param mapping null: each line is `{external_id, properties}`
 */
export async function* jsonlRows(text: AsyncIterable<string>, mapping: ImportMapping | null): AsyncGenerator<ParsedRow> {
  for await (const { line, content } of linesOf(text)) {
    if (content === null) yield unreadable(line, `the line is longer than ${maxRowSize} characters`);
    else if (content.trim() !== '') yield rowOf(line, content, mapping);
  }
}

function rowOf(line: number, content: string, mapping: ImportMapping | null): ParsedRow {
  const value = parsed(content);
  if (!isObject(value)) return unreadable(line, 'the line is no JSON object');
  if (mapping) return mappedRow(line, value, mapping);
  const { external_id: externalId, properties, ...others } = value;
  const [extra] = Object.keys(others);
  if (extra !== undefined) return unreadable(line, `the line has the unknown field ${JSON.stringify(extra)}`);
  if (!isObject(properties)) return unreadable(line, 'properties is no object');
  return readableRow(line, externalId, properties);
}

/** What a line lacks is left out. */
function mappedRow(line: number, value: Record<string, unknown>, { externalId, properties }: ImportMapping): ParsedRow {
  const has = (key: string): boolean => Object.hasOwn(value, key);
  const entries = properties
    ? [...properties].flatMap(([name, column]) => (has(column) ? [[name, value[column]] as const] : []))
    : Object.entries(value).filter(([name]) => name !== externalId);
  return readableRow(line, has(externalId) ? value[externalId] : undefined, Object.fromEntries(entries));
}

interface Line {
  line: number;
  /** null: it is too long. */
  content: string | null;
}

/** The lines of a text. Of one that is too long nothing is kept. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<Line> {
  let line = 1;
  let kept = '';
  let tooLong = false;
  for await (const chunk of text) {
    const parts = chunk.split('\n');
    for (const [index, part] of parts.entries()) {
      tooLong ||= kept.length + part.length > maxRowSize;
      kept = tooLong ? '' : kept + part;
      if (index === parts.length - 1) break;
      yield { line, content: tooLong ? null : kept };
      line += 1;
      [kept, tooLong] = ['', false];
    }
  }
  if (tooLong || kept !== '') yield { line, content: tooLong ? null : kept };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
