import type { SettingDeclaration, SettingType } from './declaration';

export type ParsedValue = { ok: true; value: unknown } | { ok: false; problem: string };

type Parser = (text: string, declaration: SettingDeclaration) => ParsedValue;

const good = (value: unknown): ParsedValue => ({ ok: true, value });
const bad = (problem: string): ParsedValue => ({ ok: false, problem });

const parsers: Record<SettingType, Parser> = {
  string: (text) => good(text),
  secret: (text) => good(text),
  url: parseUrl,
  list: (text) => parseItems(text, (item) => good(item)),
  enum: (text, { options }) => (options?.includes(text) ? good(text) : bad(`must be one of ${options?.join(', ')}`)),
  boolean: (text) => (text === 'on' || text === 'off' ? good(text === 'on') : bad('must be on or off')),
  integer: (text, declaration) => parseNumber(text, /^-?\d+$/, 'a whole number', declaration),
  number: (text, declaration) => parseNumber(text, decimal, 'a number', declaration),
  seconds: parseSeconds,
  seconds_list: (text, declaration) => parseItems(text, (item) => parseSeconds(item, declaration)),
};

const decimal = /^-?\d+(\.\d+)?$/;

/**
 * Reads one setting's text. Nothing is guessed: what does not fit is a problem that says what would.
 * The problem never repeats the text, which may be a secret.
 */
export function parseValue(declaration: SettingDeclaration, text: string): ParsedValue {
  return parsers[declaration.type](text, declaration);
}

function parseNumber(text: string, shape: RegExp, words: string, { min, max }: SettingDeclaration): ParsedValue {
  const value = Number(text);
  if (!shape.test(text) || !Number.isFinite(value)) return bad(`must be ${words}`);
  if (words === 'a whole number' && !Number.isSafeInteger(value)) return bad('is too large');
  if (min !== undefined && value < min) return bad(`must be at least ${min}`);
  if (max !== undefined && value > max) return bad(`must be at most ${max}`);
  return good(value);
}

function parseSeconds(text: string, declaration: SettingDeclaration): ParsedValue {
  const parsed = parseNumber(text, decimal, 'a number of seconds', { ...declaration, min: declaration.min ?? 0 });
  return parsed.ok ? good(Math.round((parsed.value as number) * 1000)) : parsed;
}

function parseUrl(text: string): ParsedValue {
  if (!URL.canParse(text)) return bad('must be a URL');
  return good(text.replace(/\/+$/, ''));
}

/** Items are separated by commas; blanks around them do not count, empty items are refused. */
function parseItems(text: string, parseItem: (item: string) => ParsedValue): ParsedValue {
  const values: unknown[] = [];
  for (const [index, item] of text.split(',').entries()) {
    const parsed = item.trim() === '' ? bad('is empty') : parseItem(item.trim());
    if (!parsed.ok) return bad(`must be a list separated by commas: item ${index + 1} ${parsed.problem}`);
    values.push(parsed.value);
  }
  return good(values);
}
