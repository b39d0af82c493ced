import { hash } from 'node:crypto';

/** How many milliseconds share the first digits of a `timeOrderedUuid`: a bit more than a minute. */
const periodMs = 2 ** 16;

/** A UUID (version 8, RFC 9562) derived from the text: a repeated write conflicts instead of making a second row. */
export function deterministicUuid(text: string): string {
  const hex = hash('sha256', text, 'hex');
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * The same for a row of a table that is written in the order of time: its first eight digits count periods of about a minute, so
 * that what is written together lies together in an index (docs/adr/0410-ids-of-outcome-rows-begin-with-their-time.md).
 * @param at milliseconds since the epoch
 */
export function timeOrderedUuid(text: string, at: number): string {
  const period = Math.floor(at / periodMs).toString(16).padStart(8, '0').slice(-8);
  return period + deterministicUuid(text).slice(8);
}
