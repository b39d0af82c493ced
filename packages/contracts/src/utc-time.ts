const shape = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * A time that somebody has written in ISO 8601, as UTC with milliseconds; without a zone it is UTC, without a time midnight
 * (docs/reference/events.md, Business time). null: not a time. Everything that reads times of requests, events and documents
 * reads them with this: `Date` takes a time without a zone for one of the machine's own zone.
 */
export function utcTime(text: string): string | null {
  const parts = shape.exec(text);
  if (!parts) return null;
  const [, year, month, day, minute = '00:00', second = '00', fraction = '0', zone = 'Z'] = parts;
  // `Date` accepts the 30th of February as the 1st of March.
  if (Number(day) < 1 || Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()) return null;
  const offset = /^[+-]\d{4}$/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const time = new Date(`${year}-${month}-${day}T${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`);
  return Number.isNaN(time.getTime()) || time.getUTCFullYear() > 9999 ? null : time.toISOString();
}
