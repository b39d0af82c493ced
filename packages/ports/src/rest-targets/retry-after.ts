import { utcTime } from '@sluice/contracts';

/** Reads a Retry-After header: seconds or an HTTP date (RFC 9110, section 10.2.3). @param now milliseconds since the epoch */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds) && seconds >= 0) return Math.ceil(seconds * 1_000);
  const date = Date.parse(utcTime(header.trim()) ?? withZone(header.trim()));
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** The form of `asctime`, one of the three of an HTTP date, has no zone and means GMT. */
const withZone = (date: string): string => (/\d{4}$/.test(date) ? `${date} GMT` : date);
