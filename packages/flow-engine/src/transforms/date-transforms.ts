import { DateTime, IANAZone } from 'luxon';
import { ExpressionError } from '../expressions/expression-error';
import { parseIsoInstant } from '../expressions/instant';
import { compileDateFormat } from './date-format';
import { arg, builtin, cannot, ok, onText, parametric, type TransformDefinition, type TransformResult } from './transform';

const zoneArg = arg('zone', 'string', false, 'IANA time zone, default UTC.');

/**
 * Dates and times. Input: ISO 8601 texts (naive ones are UTC) or epoch milliseconds; output of dates is
 * `yyyy-MM-dd`, of times ISO 8601 in UTC with milliseconds. Formats are Unicode tokens, `dd.MM.yyyy`.
 */
export const dateTransforms: readonly TransformDefinition[] = [
  builtin(
    'to_date',
    'The date, yyyy-MM-dd in UTC.',
    onInstant((instant) => ok(instant.toFormat('yyyy-MM-dd'))),
  ),
  builtin(
    'to_datetime',
    'ISO 8601 in UTC with milliseconds.',
    onInstant((instant) => ok(instant.toISO())),
  ),
  builtin(
    'to_epoch_ms',
    'Milliseconds since 1970-01-01 UTC.',
    onInstant((instant) => ok(instant.toMillis())),
  ),
  parametric(
    'parse_date',
    'Reads a date or time in a format of your own; gives ISO 8601 in UTC.',
    [arg('format', 'string', true, 'Unicode tokens, for example dd.MM.yyyy.'), zoneArg],
    (args) => {
      const zone = checkedZone(args.zone);
      const format = compileDateFormat(args.format as string);
      return {
        apply: onText((text) => {
          const parsed = format.read(text.trim(), zone);
          return parsed ? ok(parsed.toUTC().toISO()) : cannot(`the text does not follow '${String(args.format)}'`);
        }),
      };
    },
  ),
  parametric(
    'format_date',
    'Writes a date or time in a format of your own.',
    [arg('format', 'string', true, 'Unicode tokens, for example dd.MM.yyyy.'), zoneArg],
    (args) => {
      const zone = checkedZone(args.zone);
      const format = compileDateFormat(args.format as string);
      return { apply: onInstant((instant) => ok(format.write(instant.setZone(zone)))) };
    },
  ),
  parametric(
    'add_days',
    'Adds days to a date or time; a date stays a date.',
    [arg('days', 'integer', true, 'Days to add; negative to go back.')],
    (args) => ({
      apply: (value) => {
        const isDate = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value.trim());
        const add = onInstant((instant) => {
          const moved = instant.plus({ days: args.days as number });
          return moved.isValid ? ok(isDate ? moved.toFormat('yyyy-MM-dd') : moved.toISO()) : cannot('the result is no date');
        });
        return add(value);
      },
    }),
  ),
];

function onInstant(apply: (instant: DateTime) => TransformResult): (value: unknown) => TransformResult {
  return (value) => {
    const instant = asInstant(value);
    return instant ? apply(instant) : cannot('it needs an ISO 8601 date or time, or epoch milliseconds');
  };
}

function asInstant(value: unknown): DateTime | null {
  if (typeof value === 'string') return /^-?\d{9,}$/.test(value.trim()) ? fromMillis(Number(value)) : parseIsoInstant(value);
  return typeof value === 'number' ? fromMillis(value) : null;
}

/** The range of a Date; luxon throws outside. */
function fromMillis(ms: number): DateTime | null {
  return Number.isFinite(ms) && Math.abs(ms) <= 8.64e15 ? DateTime.fromMillis(ms, { zone: 'utc' }) : null;
}

function checkedZone(zone: unknown): string {
  if (zone === undefined) return 'utc';
  if (!IANAZone.isValidZone(zone as string)) throw new ExpressionError('transform', `'${String(zone)}' is not an IANA time zone`);
  return zone as string;
}
