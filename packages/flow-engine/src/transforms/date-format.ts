import { DateTime } from 'luxon';
import { ExpressionError } from '../expressions/expression-error';

/** A date format made of Unicode tokens (UTS 35, Date Format Patterns), ready to be used. */
export interface DateFormat {
  write(instant: DateTime): string;
  /** null when the text does not follow the format. `zone` is that of a text which names none. */
  read(text: string, zone: string): DateTime | null;
}

/** Tokens that luxon writes and reads in the same way, by their Unicode spelling. */
const tokens: Readonly<Record<string, string>> = {
  ...same('y yy yyyy M MM MMM MMMM L LL LLL LLLL d dd H HH h hh m mm s ss SSS EEEE EEEEE'),
  ...all('G GG GGG', 'G'),
  GGGG: 'GG',
  u: 'y',
  uuuu: 'yyyy',
  ...all('Q q', 'q'),
  ...all('QQ qq', 'qq'),
  ...all('E EE EEE', 'EEE'),
  ...all('a aa aaa', 'a'),
  VV: 'z',
  // Offsets with and without a colon. The capital X is `Z` at offset 0, see `zulu`.
  ...all('XXX ZZZZZ xxx', 'ZZ'),
  ...all('XX xx Z ZZ ZZZ', 'ZZZ'),
};

/** Offset tokens for which UTC is the letter Z. */
const zulu = /^(X{2,3}|Z{5})$/;

const hints: Readonly<Record<string, string>> = {
  Y: 'the year of a date is yyyy',
  D: 'the day of the month is dd',
  T: `text stands in quotes, as in 'T'`,
};

const locale = 'en';

/** Compiles a format. Throws ExpressionError for a letter that is no token: text stands in quotes. */
export function compileDateFormat(format: string): DateFormat {
  const parts = partsOf(format);
  const spelled = (isUtc: boolean, fraction: (length: number) => string): string =>
    parts.map((part) => luxonPart(part, isUtc, fraction)).join('');
  const [here, atUtc] = [spelled(false, writtenFraction), spelled(true, writtenFraction)];
  const [read, readUtc] = [spelled(false, readFraction), spelled(true, readFraction)];
  return {
    write: (instant) => instant.setLocale(locale).toFormat(instant.offset === 0 ? atUtc : here),
    read: (text, zone) => {
      const parsed = DateTime.fromFormat(text, read, { zone, locale });
      if (parsed.isValid) return parsed;
      if (readUtc === read) return null;
      const utc = DateTime.fromFormat(text, readUtc, { zone: 'utc', locale });
      return utc.isValid ? utc : null;
    },
  };
}

type Part = { kind: 'text' | 'token'; text: string };

function luxonPart({ kind, text }: Part, isUtc: boolean, fraction: (length: number) => string): string {
  if (kind === 'text') return quoted(text);
  if (/^S+$/.test(text)) return fraction(text.length);
  return isUtc && zulu.test(text) ? quoted('Z') : tokens[text]!;
}

/** luxon writes tenths, hundredths and milliseconds; what is finer is zero. */
function writtenFraction(digits: number): string {
  return digits < 3 ? 'u'.repeat(4 - digits) : `SSS${digits > 3 ? quoted('0'.repeat(digits - 3)) : ''}`;
}

/** luxon reads up to nine digits with one token. */
function readFraction(digits: number): string {
  return digits === 3 ? 'SSS' : digits < 3 ? 'u'.repeat(4 - digits) : 'u';
}

/** luxon takes '' for an apostrophe outside of quotes only. */
function quoted(text: string): string {
  return text
    .split("'")
    .map((piece) => (piece === '' ? '' : `'${piece}'`))
    .join("''");
}

function partsOf(format: string): Part[] {
  const found = [...format.matchAll(/''|'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+|'/g)];
  return found.map(([whole, inQuotes, letter]) => {
    if (letter !== undefined) return checkedToken(whole);
    if (whole === "'") throw new ExpressionError('transform', `'${format}': a quote is not closed`);
    if (whole === "''") return { kind: 'text', text: "'" };
    return { kind: 'text', text: inQuotes === undefined ? whole : inQuotes.replaceAll("''", "'") };
  });
}

function checkedToken(token: string): Part {
  if (Object.hasOwn(tokens, token) || /^S{1,9}$/.test(token)) return { kind: 'token', text: token };
  const hint = hints[token[0]!];
  throw new ExpressionError('transform', `'${token}' is no token of a date format${hint === undefined ? '' : `: ${hint}`}`);
}

function same(names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, name]));
}

function all(names: string, token: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, token]));
}
