import { eventBounds } from '@sluice/contracts';

/** A row of a file: what it says, or why it cannot be read. */
export interface ParsedRow {
  line: number;
  externalId: string | null;
  /** null: it cannot be read. */
  properties: Record<string, unknown> | null;
  problem: string | null;
}

/** Bytes or characters of one row: as many as an event's payload may have. */
export const maxRowSize = 10 * 1024 ** 2;

const plainText = /^[^\u0000\uD800-\uDFFF]*$/u;

export const unreadable = (line: number, problem: string, externalId: string | null = null): ParsedRow => (
  { line, externalId, properties: null, problem }
);

/** A row whose external id is checked. */
export function readableRow(line: number, externalId: unknown, properties: Record<string, unknown>): ParsedRow {
  if (externalId === undefined || externalId === null || externalId === '') return unreadable(line, 'the external id is empty');
  if (typeof externalId !== 'string' && typeof externalId !== 'number')
    return unreadable(line, 'the external id is neither a text nor a number');
  const text = String(externalId);
  if (text.length > eventBounds.externalId)
    return unreadable(line, `the external id is longer than ${eventBounds.externalId} characters`);
  if (!plainText.test(text)) return unreadable(line, 'the external id has characters that are no text');
  return { line, externalId: text, properties, problem: null };
}
