import { createHash } from 'node:crypto';

/**
 * Values that one column of a bulk statement takes. A bigint goes as its text: JSON has none, and rows that need no replacer are
 * written at a fraction of the cost.
 */
export type BulkValue = string | number | boolean | null;
export type BulkRow = Record<string, BulkValue>;

/**
 * Rows as one JSON parameter, for `FROM ${from}`: a statement's text (and so its plan) stays the same for any number
 * of rows. Columns of type json are sent as text and cast, which leaves their content alone.
 * @param columns SQL type by column name, in order
 * @param parameter number of the statement's parameter that carries the rows
 */
export function bulkRows(columns: Record<string, string>, parameter = 1): { names: string; values: string; from: string } {
  const entries = Object.entries(columns).map(([name, type]) => ({
    name: `"${name}"`,
    type,
    sent: type === 'json' || type === 'text[]' ? 'text' : type,
  }));
  const valueOf = ({ name, type }: (typeof entries)[number]): string => {
    if (type === 'json') return `r.${name}::json`;
    if (type === 'text[]') return `ARRAY(SELECT json_array_elements_text(r.${name}::json))`;
    return `r.${name}`;
  };
  return {
    names: entries.map(({ name }) => name).join(', '),
    values: entries.map(valueOf).join(', '),
    from: `json_to_recordset($${parameter}::json) AS r(${entries.map(({ name, sent }) => `${name} ${sent}`).join(', ')})`,
  };
}

/** Characters that JSON allows and Postgres text does not: U+0000 and halves of surrogate pairs. */
const unstorable = /\\u(?:0000|d[89a-f])/i;

/** The parameter of `bulkRows`. Characters that text columns cannot hold become U+FFFD. */
export function bulkParameter(rows: readonly BulkRow[]): string {
  const text = JSON.stringify(rows);
  return unstorable.test(text) ? JSON.stringify(rows, (_key, value) => storable(value)) : text;
}

/** Text as a text column can hold it: the way through UTF-8 replaces halves of surrogate pairs. */
export function storable<T>(value: T): T {
  return typeof value === 'string' ? (Buffer.from(value.replaceAll('\0', '\uFFFD')).toString() as T) : value;
}

/** Postgres refuses index entries of more than about 2,700 bytes. */
const maxKeyBytes = 1_024;

/** A text from an event as part of a key: one that is too long for an index is named by its start and its digest. */
export function keyText(text: string): string {
  if (text.length * 3 <= maxKeyBytes || Buffer.byteLength(text) <= maxKeyBytes) return text;
  return `${text.slice(0, 200)}#${createHash('sha256').update(text).digest('hex')}`;
}
