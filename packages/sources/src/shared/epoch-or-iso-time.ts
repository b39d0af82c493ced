import { utcTime } from '@sluice/contracts';

/** Seconds since the epoch reach this number in the year 5138, milliseconds did in 1973. */
const leastMilliseconds = 1e11;

/** A business time: ISO 8601, or seconds or milliseconds since the epoch. null: none, and the accept time counts. */
export function epochOrIsoTime(value: unknown): string | null {
  if (typeof value === 'number') return epochTime(value);
  if (typeof value !== 'string') return null;
  return /^\d{9,16}(\.\d+)?$/.test(value) ? epochTime(Number(value)) : utcTime(value);
}

function epochTime(value: number): string | null {
  const time = new Date(value >= leastMilliseconds ? value : value * 1_000);
  return Number.isNaN(time.getTime()) || value <= 0 || time.getUTCFullYear() > 9999 ? null : time.toISOString();
}
