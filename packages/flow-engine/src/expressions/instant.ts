import { DateTime } from 'luxon';

const isoShape = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Parses an ISO date or timestamp; naive values are UTC. null when it is none. */
export function parseIsoInstant(text: string): DateTime | null {
  if (!isoShape.test(text.trim())) return null;
  const parsed = DateTime.fromISO(text.trim().replace(' ', 'T'), { zone: 'utc' });
  return parsed.isValid ? parsed : null;
}

/** A comparable number for numbers, numeric strings and ISO timestamps (as epoch milliseconds); else null. */
export function comparableNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  return parseNumber(value) ?? parseIsoInstant(value)?.toMillis() ?? null;
}

const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** A plain decimal number with a point, whatever white space is around it; else null. */
export function parseNumber(text: string): number | null {
  const trimmed = text.trim();
  if (!decimal.test(trimmed)) return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
}
