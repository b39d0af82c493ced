/** A row of a file, or why it is none. `line`: where it begins in the file, from 1. */
export type FileRow = { line: number; value: unknown } | { line: number; problem: string };

/** A file that cannot be read as its format: no further row comes. In words for its owner. */
export class FileUnreadable extends Error {
  override readonly name = 'FileUnreadable';
}

/** Deeper values are refused: their readers are recursive. */
const maxDepth = 100;

/** A JSON object as a row. */
export function jsonRow(line: number, text: string): FileRow {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { line, problem: 'it is not JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { line, problem: 'it is not a JSON object' };
  return isDeep(value, maxDepth) ? { line, problem: `it is nested more than ${maxDepth} times` } : { line, value };
}

function isDeep(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  return levels === 0 || Object.values(value).some((inner) => isDeep(inner, levels - 1));
}
