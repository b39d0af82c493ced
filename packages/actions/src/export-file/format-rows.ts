/** A column of the file: its name and what a row gives for it. */
export interface Column {
  name: string;
  valueOf(row: unknown): unknown;
}

export type RowFormat = 'csv' | 'jsonl' | 'json';

/** Content types of the formats. */
export const contentTypes: Readonly<Record<RowFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson',
  json: 'application/json',
};

/**
 * Rows as a file. csv: RFC 4180, with a line of names; without columns every field that a row has, in the order of their first
 * appearance. jsonl and json: objects of the columns, else the rows as they are.
 */
export function formatRows(rows: readonly unknown[], format: RowFormat, columns: readonly Column[] | null): string {
  if (format !== 'csv') {
    const shown = columns ? rows.map((row) => objectOf(row, columns)) : rows;
    return format === 'json' ? JSON.stringify(shown) : shown.map((row) => `${JSON.stringify(row)}\n`).join('');
  }
  const used = columns ?? fieldsOf(rows);
  const lines = [used.map(({ name }) => name), ...rows.map((row) => used.map(({ valueOf }) => valueOf(row)))];
  return lines.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('');
}

const objectOf = (row: unknown, columns: readonly Column[]): Record<string, unknown> =>
  Object.fromEntries(columns.map(({ name, valueOf }) => [name, valueOf(row) ?? null]));

function fieldsOf(rows: readonly unknown[]): Column[] {
  const names = new Set(rows.flatMap((row) => (isObject(row) ? Object.keys(row) : [])));
  return [...names].map((name) => ({
    name,
    valueOf: (row) => (isObject(row) && Object.hasOwn(row, name) ? row[name] : null),
  }));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** A value as one cell: nothing is empty, lists and objects are JSON. Quoted where it must be, or blanks would get lost. */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
