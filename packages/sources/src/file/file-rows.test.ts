import type { FileConfig } from './file.source';
import { type FileRow, FileUnreadable } from './file-row';
import { fileRows } from './file-rows';
import { maxLine } from './text-lines';

/** In pieces of one byte as well: an element may end anywhere. */
async function rowsOf(text: string | Buffer, config: FileConfig = {}, pieceSize = 7): Promise<FileRow[]> {
  const bytes = Buffer.from(text as string);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize);
  }
  const rows: FileRow[] = [];
  for await (const row of fileRows(pieces(), config)) rows.push(row);
  return rows;
}
const failure = (text: string, config: FileConfig = {}): Promise<unknown> =>
  rowsOf(text, config).then(() => null, (error: unknown) => (error instanceof FileUnreadable ? error.message : error));
const byLine = ([one]: unknown[], [other]: unknown[]): number => Number(one) - Number(other);

describe('csv', () => {
  test('a row is an object by the headings; quotes, line breaks in cells, CRLF and empty lines are read', async () => {
    const text = 'id, name\r\n1,"Ada, ""the"" first"\r\n\r\n2,"two\nlines"\r\n3,Bob';
    expect(await rowsOf(text)).toEqual([
      { line: 2, value: { id: '1', name: 'Ada, "the" first' } },
      { line: 4, value: { id: '2', name: 'two\nlines' } },
      { line: 6, value: { id: '3', name: 'Bob' } },
    ]);
  });

  test('another delimiter and encoding', async () => {
    const bytes = Buffer.from('id;name\n1;Zo\u00eb\n', 'latin1');
    const rows = await rowsOf(bytes, { delimiter: ';', encoding: 'windows-1252' });
    expect(rows).toEqual([{ line: 2, value: { id: '1', name: 'Zoë' } }]);
  });

  test('a byte order mark is left out', async () => {
    expect(await rowsOf('\ufeffid\n1\n')).toEqual([{ line: 2, value: { id: '1' } }]);
    const utf16 = Buffer.from('\ufeffid\n1\n', 'utf16le');
    expect(await rowsOf(utf16, { encoding: 'utf-16le' })).toEqual([{ line: 2, value: { id: '1' } }]);
  });

  test('a row with a wrong number of cells, or that cannot be read, is told of with its line; the rest goes on', async () => {
    const text = 'id,name\n1,Ada\n2\n3,Bob,x\n4,"odd"quote\n5,Eve\n';
    expect(await rowsOf(text)).toEqual([
      { line: 2, value: { id: '1', name: 'Ada' } },
      { line: 3, problem: 'it has 1 cells, the heading line has 2' },
      { line: 4, problem: 'it has 3 cells, the heading line has 2' },
      { line: 5, value: { id: '4', name: '"odd"quote' } },
      { line: 6, value: { id: '5', name: 'Eve' } },
    ]);
  });

  test('headings that are there twice, or empty, or too many: the file cannot be read', async () => {
    expect(await failure('id,name,id\n1,2,3\n')).toBe("the heading 'id' is there twice");
    expect(await failure('id,,x\n1,2,3\n')).toBe('column 2 has no heading');
    expect(await failure(`${Array.from({ length: 1_001 }, (_, at) => `c${at}`).join(',')}\n`)).toBe('it has more than 1000 columns');
  });

  test('an empty file has no rows, and so has one of headings', async () => {
    expect([await rowsOf(''), await rowsOf('id,name\n')]).toEqual([[], []]);
  });

  test('a quote that is not closed takes the rest of the file, up to the length of a row', async () => {
    const rows = await rowsOf('id\n1\n"2\n3\n');
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual({ line: 2, value: { id: '1' } });
    expect(rows).toContainEqual({ line: 3, problem: 'a quote is not closed' });
  });

  test.each([[1], [7], [1_000]])('lines are those of the file, with LF and CRLF, in pieces of %i', async (pieceSize) => {
    const lines = ['id,note', '', '1,"a', '', 'b"', '', '2', '"3","', '",x', '4,d', '', '5,"open', '6,e', ''];
    for (const lineBreak of ['\n', '\r\n']) {
      const rows = await rowsOf(lines.join(lineBreak), {}, pieceSize);
      const told = rows.map((row) => [row.line, 'problem' in row ? row.problem : Object.values(row.value as object)[0]]);
      expect(told.sort(byLine)).toEqual([
        [3, '1'], [7, 'it has 1 cells, the heading line has 2'], [8, 'it has 3 cells, the heading line has 2'], [10, '4'],
        [12, 'a quote is not closed'],
      ]);
    }
    expect(await rowsOf('id\r\n"1\r\n\r\n"\r\n2', {}, pieceSize)).toEqual([
      { line: 2, value: { id: '1\r\n\r\n' } }, { line: 5, value: { id: '2' } },
    ]);
  });

  test('a heading of the language itself is a field like any other', async () => {
    const [row] = await rowsOf('__proto__,id\nx,1\n');
    expect(Object.entries((row as { value: object }).value)).toEqual([['__proto__', 'x'], ['id', '1']]);
  });
});

describe('jsonl', () => {
  test('each line is an object; other lines are told of', async () => {
    const text = '{"id":1}\n\n[1]\nnot json\r\n{"id":2}';
    expect(await rowsOf(text, { format: 'jsonl' })).toEqual([
      { line: 1, value: { id: 1 } },
      { line: 3, problem: 'it is not a JSON object' },
      { line: 4, problem: 'it is not JSON' },
      { line: 5, value: { id: 2 } },
    ]);
  });

  test('a line that is too long, or nested too deep, is told of', async () => {
    const long = JSON.stringify({ text: 'x'.repeat(maxLine) });
    const deep = `{"a":${'['.repeat(200)}${']'.repeat(200)}}`;
    expect(await rowsOf(`${long}\n${deep}\n{"id":1}\n`, { format: 'jsonl' }, 65_536)).toEqual([
      { line: 1, problem: 'the line is too long' },
      { line: 2, problem: 'it is nested more than 100 times' },
      { line: 3, value: { id: 1 } },
    ]);
  });
});

describe('json', () => {
  test.each([1, 3, 1_000])('the elements of a list, in pieces of %s bytes', async (size) => {
    const text = '[\n {"id":1, "t":"a]}\\"\\\\"},\n {"id":\n2, "in":[{"x":[]}]}, 3, {bad}\n]\n';
    expect(await rowsOf(text, { format: 'json' }, size)).toEqual([
      { line: 2, value: { id: 1, t: 'a]}"\\' } },
      { line: 3, value: { id: 2, in: [{ x: [] }] } },
      { line: 4, problem: 'it is not a JSON object' },
      { line: 4, problem: 'it is not JSON' },
    ]);
  });

  test('an object is one row, an empty list has none', async () => {
    expect(await rowsOf(' {"id":1}\n', { format: 'json' })).toEqual([{ line: 1, value: { id: 1 } }]);
    expect(await rowsOf('[]', { format: 'json' })).toEqual([]);
  });

  test('what is no list, is cut off, or goes on behind its end cannot be read', async () => {
    expect(await failure('"x"', { format: 'json' })).toBe('it is neither a JSON list nor a JSON object');
    expect(await failure('[{"id":1},\n{"id"', { format: 'json' })).toBe('it ends within the element of line 2');
    expect(await failure('[]\nx', { format: 'json' })).toBe('something follows the end of the list in line 2');
  });
});
