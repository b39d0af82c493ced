import { percentEncode } from '../expressions/percent-encode';
import { arg, builtin, cannot, ok, onText, parametric, textBuiltin, type TransformDefinition } from './transform';

/** Letter case, trimming, cutting and filling of texts. */
export const textTransforms: readonly TransformDefinition[] = [
  textBuiltin('lowercase', 'Lower case.', (text) => text.toLowerCase()),
  textBuiltin('uppercase', 'Upper case.', (text) => text.toUpperCase()),
  textBuiltin('trim', 'Removes white space at both ends.', (text) => text.trim(), { shortens: true }),
  textBuiltin('capitalize', 'First letter in upper case, the rest unchanged.', capitalize),
  textBuiltin('title_case', 'First letter of every word in upper case, the others in lower case.', (text) =>
    text.toLowerCase().replace(/[\p{L}\p{N}][\p{L}\p{N}'’]*/gu, capitalize),
  ),
  textBuiltin('slugify', 'Lower case letters a-z, digits and single hyphens; accents are removed.', slugify),
  textBuiltin(
    'strip_html',
    'Removes tags, comments, scripts and styles, decodes common entities, collapses white space.',
    stripHtml,
    { shortens: true },
  ),
  textBuiltin('url_encode', 'Percent-encodes a text for use in a URL.', percentEncode),
  parametric(
    'split',
    'Splits a text into a list, or gives one part of it.',
    [
      arg('sep', 'string', true, 'Separator.'),
      arg('index', 'integer', false, 'Part to give, from 0; negative counts from the end. Without it: the list.'),
      arg('default', 'any', false, 'Given when there is no such part.'),
    ],
    (args) => ({ apply: onText((text) => ok(pickPart(text.split(args.sep as string), args))) }),
  ),
  parametric(
    'substring',
    'Part of a text, counted in characters.',
    [
      arg('start', 'integer', true, 'First character, from 0; negative counts from the end.'),
      arg('length', 'integer', false, 'Number of characters; without it to the end.'),
    ],
    (args) => ({ apply: onText((text) => substring(text, args.start as number, args.length as number | undefined)) }),
    { shortens: true },
  ),
  parametric(
    'truncate',
    'Cuts a text to a length.',
    [
      arg('length', 'integer', true, 'Greatest number of characters of the result.'),
      arg('suffix', 'string', false, 'Put at the end of a cut text; counts within the length.'),
    ],
    (args) => ({ apply: onText((text) => truncate(text, args.length as number, (args.suffix as string | undefined) ?? '')) }),
    { shortens: true },
  ),
  parametric(
    'pad_start',
    'Fills a text at its start up to a length.',
    [
      arg('length', 'integer', true, 'Least number of characters of the result, at most 65,536.'),
      arg('fill', 'string', false, 'Filling, default a space.'),
    ],
    (args) => ({
      apply: onText((text) => text.padStart(Math.min(args.length as number, 65_536), (args.fill as string | undefined) ?? ' ')),
    }),
  ),
  parametric('prefix', 'Puts a text in front.', [arg('text', 'string', true, 'Text to put in front.')], (args) => ({
    apply: onText((text) => `${args.text as string}${text}`),
  })),
  parametric('suffix', 'Puts a text behind.', [arg('text', 'string', true, 'Text to put behind.')], (args) => ({
    apply: onText((text) => `${text}${args.text as string}`),
  })),
  builtin(
    'length',
    'Number of characters of a text, or of elements of a list.',
    (value) => {
      if (typeof value === 'string') return ok(countCharacters(value));
      return Array.isArray(value) ? ok(value.length) : cannot('it needs a text or a list');
    },
    { takesList: true, shortens: true },
  ),
];

/** Where in the text, in UTF-16 units, its `count`-th character ends; its length when it has fewer. */
function endOfCharacters(text: string, count: number): number {
  let at = 0;
  for (let left = count; left > 0 && at < text.length; left -= 1) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return at;
}

function countCharacters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += text.codePointAt(at)! > 0xffff ? 2 : 1) count += 1;
  return count;
}

function capitalize(text: string): string {
  const end = endOfCharacters(text, 1);
  return text.slice(0, end).toUpperCase() + text.slice(end);
}

function slugify(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/ß/g, 'ss')
    .toLowerCase();
  return plain
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('-');
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function stripHtml(text: string): string {
  const plain = withoutTags(text);
  const decoded = plain.replace(
    /&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,6});/gi,
    (whole, name: string) => entities[name.toLowerCase()] ?? numericEntity(name) ?? whole,
  );
  return decoded
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ');
}

/** Tags that stand within a line of text (the phrasing elements that style or link a part of it). */
const inlineTag = /^<\/?(?:a|abbr|b|bdi|bdo|cite|code|em|i|kbd|mark|q|s|small|span|strong|sub|sup|u|wbr)(?![a-z0-9-])|^<!--/i;

/** One walk from `<` to `>`, linear in the text; script, style and comment bodies go with their tags. */
function withoutTags(text: string): string {
  const lower = text.toLowerCase();
  const parts: string[] = [];
  let at = 0;
  while (at < text.length) {
    const open = nextTag(text, at);
    parts.push(text.slice(at, open));
    if (open === text.length) break;
    // Within a line, as a browser shows it: `<b>Tea</b>,` has no space.
    if (!inlineTag.test(text.slice(open, open + 12))) parts.push(' ');
    at = endOfTag(text, lower, open);
  }
  return parts.join('');
}

function nextTag(text: string, from: number): number {
  for (let at = text.indexOf('<', from); at !== -1; at = text.indexOf('<', at + 1)) {
    if (/[a-z/!?]/i.test(text[at + 1] ?? '')) return at;
  }
  return text.length;
}

function endOfTag(text: string, lower: string, open: number): number {
  const after = (mark: string, from: number): number => {
    const found = lower.indexOf(mark, from);
    return found === -1 ? text.length : found + mark.length;
  };
  if (lower.startsWith('<!--', open)) return after('-->', open + 4);
  for (const name of ['script', 'style']) {
    if (lower.startsWith(`<${name}`, open) && /[\s>/]/.test(lower[open + name.length + 1] ?? '>'))
      return after('>', after(`</${name}`, open));
  }
  return after('>', open);
}

function numericEntity(name: string): string | undefined {
  if (!name.startsWith('#')) return undefined;
  const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : parseInt(name.slice(1), 10);
  return Number.isInteger(code) && code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

function pickPart(parts: string[], args: Record<string, unknown>): unknown {
  return args.index === undefined ? parts : (parts.at(args.index as number) ?? args.default ?? null);
}

function substring(text: string, start: number, length?: number): string {
  const first = start < 0 ? Math.max(countCharacters(text) + start, 0) : start;
  const rest = text.slice(endOfCharacters(text, first));
  return length === undefined ? rest : rest.slice(0, endOfCharacters(rest, Math.max(length, 0)));
}

function truncate(text: string, length: number, suffix: string): string {
  if (endOfCharacters(text, length) === text.length) return text;
  const tail = suffix.slice(0, endOfCharacters(suffix, length));
  return text.slice(0, endOfCharacters(text, length - countCharacters(tail))) + tail;
}
