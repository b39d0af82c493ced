import { isIP } from 'node:net';
import { keyringProblem } from '../crypto/create-keyring';
import type { SettingDeclaration, SettingType } from './declaration';

export type ParsedValue = { ok: true; value: unknown } | { ok: false; problem: string };

type Parser = (text: string, declaration: SettingDeclaration) => ParsedValue;

const good = (value: unknown): ParsedValue => ({ ok: true, value });
const bad = (problem: string): ParsedValue => ({ ok: false, problem });

const parsers: Record<SettingType, Parser> = {
  string: (text) => good(text),
  secret: (text) => good(text),
  keys: parseKeys,
  mailbox: (text) => (mailbox.test(text) ? good(text) : bad('must be an email address, or Name <address>')),
  url: parseUrl,
  list: (text) => parseItems(text, (item) => good(item)),
  addresses: (text) => parseItems(text, parseAddress),
  networks: (text) => parseItems(text, parseNetwork),
  enum: (text, { options }) => (options?.includes(text) ? good(text) : bad(`must be one of ${options?.join(', ')}`)),
  boolean: (text) => (text === 'on' || text === 'off' ? good(text === 'on') : bad('must be on or off')),
  integer: (text, declaration) => parseNumber(text, /^-?\d+$/, 'a whole number', declaration),
  number: (text, declaration) => parseNumber(text, decimal, 'a number', declaration),
  seconds: parseSeconds,
  seconds_list: (text, declaration) => parseItems(text, (item) => parseSeconds(item, declaration)),
  map: parseMap,
};

const mailbox = /^(?:[^<>"\r\n]{0,64} <[^\s<>@",]+@[^\s<>@",]+>|[^\s<>@",]+@[^\s<>@",]+)$/;
const decimal = /^-?\d+(\.\d+)?$/;

/**
 * Reads one setting's text. Nothing is guessed: an invalid text is a problem that describes valid ones. The problem never repeats
 * the text, which may be a secret.
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

function parseKeys(text: string): ParsedValue {
  const problem = keyringProblem(text);
  return problem === null ? good(text) : bad(problem);
}

function parseUrl(text: string, { schemes = ['http', 'https'] }: SettingDeclaration): ParsedValue {
  const url = URL.canParse(text) ? new URL(text) : null;
  // Without slashes after the scheme `localhost:5432` reads as a URL too.
  if (!url || !text.includes('://')) return bad('must be a URL');
  if (!schemes.includes(url.protocol.slice(0, -1)))
    return bad(`must be a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`);
  return good(text.replace(/\/+$/, ''));
}

const hostAndPort = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):(\d{1,5})$/;

function parseAddress(text: string): ParsedValue {
  const port = Number(hostAndPort.exec(text)?.[1]);
  return port >= 1 && port <= 65_535 ? good(text) : bad('must be host:port');
}

function parseNetwork(text: string): ParsedValue {
  const [address = '', bits = '0', ...rest] = text.split('/');
  const longest = isIP(address) === 4 ? 32 : 128;
  const fits = isIP(address) !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= longest && rest.length === 0;
  return fits ? good(text) : bad('must be an address or a network such as 10.0.0.0/8');
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

/** Items `name=value`, each name once, of the declaration's options where it has some. */
function parseMap(text: string, { options }: SettingDeclaration): ParsedValue {
  const items = parseItems(text, (item) => {
    const [name = '', ...rest] = item.split('=');
    const value = rest.join('=').trim();
    if (value === '') return bad('must be name=value');
    return options?.includes(name.trim()) === false ? bad(`must begin with one of ${options.join(', ')}`)
      : good([name.trim(), value]);
  });
  if (!items.ok) return items;
  const entries = items.value as [string, string][];
  const byName = Object.fromEntries(entries);
  return Object.keys(byName).length < entries.length ? bad('must have each name once') : good(byName);
}
