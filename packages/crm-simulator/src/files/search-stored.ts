import { answer, type Answer } from '../http/answer';
import { invalid, refuse } from '../http/refusal';
import { intParam } from '../http/request-body';
import type { PortalCall } from '../http/route';

type Shown = Record<string, unknown>;
type Filter = { readonly name: string; readonly fits: (item: Shown, value: string) => boolean };

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Date.parse(String(value)));
const asked = (value: string): number => (/^-?\d+(\.\d+)?$/.test(value) ? Number(value) : Date.parse(value));

/** `size`, `sizeLte` and `sizeGte`, likewise for the others. */
const ranges = (...names: readonly string[]): Filter[] => names.flatMap((name) => [
  { name, fits: (item: Shown, value: string) => numberOf(item[name]) === asked(value) },
  { name: `${name}Lte`, fits: (item: Shown, value: string) => numberOf(item[name]) <= asked(value) },
  { name: `${name}Gte`, fits: (item: Shown, value: string) => numberOf(item[name]) >= asked(value) },
]);
const equals = (...names: readonly string[]): Filter[] =>
  names.map((name) => ({ name, fits: (item, value) => String(item[name]) === value }));
const lower = (value: unknown): string => String(value ?? '').toLowerCase();

const filters: readonly Filter[] = [
  ...ranges('createdAt', 'updatedAt', 'size', 'height', 'width', 'expiresAt'),
  ...equals('encoding', 'type', 'extension', 'url', 'isUsableInContent', 'fileMd5'),
  { name: 'idLte', fits: ({ id }, value) => Number(id) <= Number(value) },
  { name: 'idGte', fits: ({ id }, value) => Number(id) >= Number(value) },
  { name: 'name', fits: ({ name }, value) => lower(name).includes(lower(value)) },
  { name: 'path', fits: ({ path }, value) => lower(path).startsWith(lower(`/${value.replace(/^\//, '')}`)) },
  { name: 'allowsAnonymousAccess', fits: ({ access }, value) => String(!/PRIVATE|SENSITIVE/.test(String(access))) === value },
];
const lists = [['ids', 'id'], ['parentFolderIds', 'parentFolderId']] as const;

const maxLimit = 100;

/** Answers a search of files or folders by the query's filters, sorted and in pages; `after` is the index of the next one. */
export function searchStored({ query }: PortalCall, items: readonly Shown[]): Answer {
  const fits = (item: Shown): boolean =>
    filters.every(({ name, fits: one }) => !query.has(name) || one(item, query.get(name)!))
    && lists.every(([name, field]) => !query.has(name) || query.getAll(name).includes(String(item[field])));
  const found = sorted(items.filter(fits), query.getAll('sort'));
  const limit = intParam(query, 'limit', 10, 1, maxLimit);
  const after = intParam(query, 'after', 0, 0, Number.MAX_SAFE_INTEGER);
  const next = after + limit < found.length ? { paging: { next: { after: String(after + limit) } } } : {};
  return answer(200, { results: found.slice(after, after + limit), ...next });
}

/** `-name` is descending. A property that the items do not have cannot be sorted by. */
function sorted(items: readonly Shown[], sorts: readonly string[]): Shown[] {
  const keys = sorts.flatMap((sort) => sort.split(','))
    .map((sort) => ({ name: sort.replace(/^-/, ''), sign: sort.startsWith('-') ? -1 : 1 }));
  const first = items[0];
  for (const { name } of keys) if (first && !(name in first)) refuse(invalid(`Cannot sort by ${name}`));
  const compare = (one: unknown, other: unknown): number =>
    typeof one === 'number' && typeof other === 'number' ? one - other : lower(one).localeCompare(lower(other));
  return [...items].sort((one, other) =>
    keys.map(({ name, sign }) => sign * compare(one[name], other[name])).find((order) => order !== 0) ?? 0);
}
