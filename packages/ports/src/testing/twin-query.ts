import type { QueryFilter, QueryRequest } from '../crm-lookups';

interface Held {
  crm_id: string;
  objectType: string;
  properties: Record<string, string>;
}

/** The records that a query finds, in its order. Comparisons are those of numbers where both sides are numbers. */
export function queriedRecords(records: readonly Held[], { objectType, filterGroups, sorts }: QueryRequest): Held[] {
  const found = records.filter(
    (record) =>
      record.objectType === objectType &&
      (filterGroups.length === 0 || filterGroups.some((group) => group.every((filter) => holds(filter, record.properties)))),
  );
  const [sort] = sorts;
  if (!sort) return found;
  const sign = sort.direction === 'DESCENDING' ? -1 : 1;
  return [...found].sort((a, b) => sign * compare(a.properties[sort.property] ?? '', b.properties[sort.property] ?? ''));
}

function holds(filter: QueryFilter, held: Record<string, string>): boolean {
  const { property, operator, value = '', values = [], highValue = '' } = filter;
  const own = held[property];
  if (operator === 'HAS_PROPERTY') return own !== undefined;
  if (operator === 'NOT_HAS_PROPERTY') return own === undefined;
  if (operator === 'NEQ') return own !== undefined && compare(own, value) !== 0;
  if (operator === 'NOT_IN') return own !== undefined && !values.some((one) => compare(own, one) === 0);
  if (own === undefined) return false;
  const words = own.toLowerCase().split(/\s+/);
  const rules: Record<string, () => boolean> = {
    EQ: () => compare(own, value) === 0,
    LT: () => compare(own, value) < 0,
    LTE: () => compare(own, value) <= 0,
    GT: () => compare(own, value) > 0,
    GTE: () => compare(own, value) >= 0,
    BETWEEN: () => compare(own, value) >= 0 && compare(own, highValue) <= 0,
    IN: () => values.some((one) => compare(own, one) === 0),
    CONTAINS_TOKEN: () => words.includes(value.toLowerCase()),
    NOT_CONTAINS_TOKEN: () => !words.includes(value.toLowerCase()),
  };
  const rule = rules[operator];
  if (!rule) throw new Error(`the twin does not know the search operator ${operator}`);
  return rule();
}

function compare(a: string, b: string): number {
  const [left, right] = [Number(a), Number(b)];
  if (a !== '' && b !== '' && !Number.isNaN(left) && !Number.isNaN(right)) return left - right;
  const [one, other] = [a.toLowerCase(), b.toLowerCase()];
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
