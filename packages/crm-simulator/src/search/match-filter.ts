import { parseTime } from '../definitions/validate-value';
import type { SearchFilter } from './search-request';

/** Tests one property value; undefined is an empty property. */
export type ValueTest = (held: string | undefined) => boolean;

type Kind = 'number' | 'time' | 'enumeration' | 'text';

const kindOf = (filter: SearchFilter): Kind => {
  switch (filter.definition?.type) {
    case 'number': return 'number';
    case 'date':
    case 'datetime': return 'time';
    case 'enumeration':
    case 'bool': return 'enumeration';
    default: return 'text';
  }
};

/** How values of a kind are compared: numbers and times by size, text without case, enumerations as they are. */
function comparable(kind: Kind): (text: string) => number | string {
  if (kind === 'number') return Number;
  if (kind === 'time') return (text) => parseTime(text) ?? Number.NaN;
  return kind === 'text' ? (text) => text.toLowerCase() : (text) => text;
}

const tokensOf = (text: string): string[] => text.toLowerCase().split(/[\s,;:/()<>"'|]+/).filter((token) => token !== '');

/** Words of a value, whole and split further at punctuation, as `CONTAINS_TOKEN` sees them. */
const allTokens = (text: string): string[] =>
  tokensOf(text)
    .flatMap((token) => [token, ...token.split(/[^\p{L}\p{N}]+/u)])
    .filter((token) => token !== '');

const escape = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

/** Every word of the pattern must be among the value's words; `*` stands for anything. */
export function containsToken(value: string, pattern: string): boolean {
  const tokens = allTokens(value);
  return tokensOf(pattern).every((wanted) => {
    if (!wanted.includes('*')) return tokens.includes(wanted);
    const expression = new RegExp(`^${wanted.split('*').map(escape).join('.*')}$`, 'u');
    return tokens.some((token) => expression.test(token));
  });
}

/**
 * Compiles a filter to a test of the property's value. Values of multi-checkboxes match one by one. `IN` and `NOT_IN` on text
 * compare with the lower-cased value, so upper-case values in the list never match (docs/reference/crm-api.md, Search).
 */
export function compileFilter(filter: SearchFilter): ValueTest {
  const kind = kindOf(filter);
  const key = comparable(kind);
  const parts = (held: string): string[] => (filter.definition?.fieldType === 'checkbox' ? held.split(';') : [held]);
  const low = filter.value === undefined ? '' : key(filter.value);
  const high = filter.highValue === undefined ? '' : key(filter.highValue);
  const wanted = new Set(filter.values.map((value) => (kind === 'text' ? value : key(value))));
  const some =
    (test: (value: number | string) => boolean): ValueTest =>
    (held) =>
      held !== undefined && parts(held).some((part) => test(key(part)));
  const none =
    (test: (value: number | string) => boolean): ValueTest =>
    (held) =>
      held === undefined || !parts(held).some((part) => test(key(part)));
  switch (filter.operator) {
    case 'EQ': return some((value) => value === low);
    case 'NEQ': return none((value) => value === low);
    case 'LT': return some((value) => value < low);
    case 'LTE': return some((value) => value <= low);
    case 'GT': return some((value) => value > low);
    case 'GTE': return some((value) => value >= low);
    case 'BETWEEN': return some((value) => value >= low && value <= high);
    case 'IN': return some((value) => wanted.has(value));
    case 'NOT_IN': return none((value) => wanted.has(value));
    case 'HAS_PROPERTY': return (held) => held !== undefined;
    case 'NOT_HAS_PROPERTY': return (held) => held === undefined;
    case 'CONTAINS_TOKEN': return (held) => held !== undefined && containsToken(held, filter.value ?? '');
    case 'NOT_CONTAINS_TOKEN': return (held) => held === undefined || !containsToken(held, filter.value ?? '');
    default: throw new Error(`unchecked operator ${filter.operator}`);
  }
}

/** Whether every word of a free query starts some word of the searchable values. */
export function matchesQuery(query: string, values: readonly (string | undefined)[]): boolean {
  const tokens = values.flatMap((value) => (value === undefined ? [] : allTokens(value)));
  return tokensOf(query).every((word) => tokens.some((token) => token.startsWith(word)));
}

/** Order of two values of a property, empty ones last. */
export function compareValues(type: string | undefined, a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1;
  const key = comparable(type === 'number' ? 'number' : type === 'date' || type === 'datetime' ? 'time' : 'text');
  const left = key(a);
  const right = key(b);
  return left < right ? -1 : left > right ? 1 : 0;
}
