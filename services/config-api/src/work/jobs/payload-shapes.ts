/** One kind of event: what its payloads have in common. */
export interface PayloadShape {
  source: string;
  event_type: string;
  /** Payloads of this kind that were looked at. */
  events: number;
  /** By their place, such as `customer.emails[]`. */
  fields: { path: string; types: string[]; seen: number }[];
}

export interface PayloadShapesJob {
  payloads: { sourceName: string; eventType: string; payloadText: string }[];
}

/** Bounds for hostile payloads. */
const most = { kinds: 30, fields: 300, depth: 10, items: 20 };

type Fields = Map<string, { types: Set<string>; seen: number }>;

/** Names and types of the fields in payloads. No value leaves; a text is told by its form. */
export function payloadShapesJob({ payloads }: PayloadShapesJob): PayloadShape[] {
  const kinds = new Map<string, PayloadShape & { found: Fields }>();
  for (const { sourceName: source, eventType, payloadText } of payloads) {
    const key = JSON.stringify([source, eventType]);
    if (!kinds.has(key) && kinds.size === most.kinds) continue;
    const kind = kinds.get(key) ?? { source, event_type: eventType, events: 0, fields: [], found: new Map() };
    kinds.set(key, kind);
    kind.events += 1;
    const places = new Map<string, Set<string>>();
    collect(JSON.parse(payloadText), '', 0, places);
    for (const [path, types] of places) add(kind.found, path, types);
  }
  return [...kinds.values()].map(({ found, ...kind }) => ({
    ...kind, fields: [...found].map(([path, { types, seen }]) => ({ path, types: [...types], seen })),
  }));
}

function add(found: Fields, path: string, types: ReadonlySet<string>): void {
  if (!found.has(path) && found.size === most.fields) return;
  const field = found.get(path) ?? { types: new Set<string>(), seen: 0 };
  found.set(path, field);
  field.seen += 1;
  for (const type of types) field.types.add(type);
}

function collect(value: unknown, path: string, depth: number, places: Map<string, Set<string>>): void {
  if (places.size >= most.fields || depth > most.depth) return;
  if (Array.isArray(value)) {
    for (const item of value.slice(0, most.items)) collect(item, `${path}[]`, depth + 1, places);
    return;
  }
  if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value).slice(0, most.fields))
      collect(inner, path === '' ? nameOf(key) : `${path}.${nameOf(key)}`, depth + 1, places);
    return;
  }
  const types = places.get(path) ?? new Set();
  places.set(path, types.add(typeOf(value)));
}

/** A key that is no name may be a value: an address, an id, a token. */
const nameOf = (key: string): string =>
  /^[A-Za-z_$][\w$ .:-]{0,63}$/.test(key) && !/\d{5,}|[0-9a-f]{16,}/i.test(key) ? key : '(key)';

const forms: readonly (readonly [string, RegExp])[] = [
  ['email', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ['date-time', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['number', /^-?\d+(\.\d+)?$/],
  ['url', /^https?:\/\//],
];

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'string') return typeof value;
  const form = value.length > 300 ? undefined : forms.find(([, pattern]) => pattern.test(value));
  return form ? `text (${form[0]})` : 'text';
}
