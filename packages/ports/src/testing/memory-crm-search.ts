import type { CrmRecord, CrmSearch } from '../crm-client';
import { CrmRefusal, refusal, type MemoryObjectType } from './memory-crm-portal';
import { shown } from './memory-crm-records';

type Filter = CrmSearch['filterGroups'][number]['filters'][number];

const maxLimit = 200;
const fold = (value: string): string => value.toLowerCase();

/** The operators the product uses. Any other is a gap of the twin, not an answer of the CRM. */
function matches({ operator, value = '', values = [] }: Filter, held: string | undefined): boolean {
  if (operator === 'HAS_PROPERTY') return held !== undefined;
  if (operator === 'NOT_HAS_PROPERTY') return held === undefined;
  if (operator === 'EQ') return held !== undefined && fold(held) === fold(value.trim());
  // IN matches only values that were sent in lower case (docs/reference/crm-api.md, Search).
  if (operator === 'IN') return held !== undefined && values.includes(fold(held));
  throw new Error(`the CRM twin does not know the search operator ${operator}`);
}

function checkFilter(type: MemoryObjectType, { propertyName, operator, value, values }: Filter): void {
  if (!type.properties.has(propertyName)) throw new CrmRefusal(refusal(`property ${propertyName} does not exist`));
  const given = operator === 'EQ' ? [value ?? ''] : operator === 'IN' ? (values ?? ['']) : ['-'];
  if (given.length === 0 || given.some((one) => one.trim() === ''))
    throw new CrmRefusal(refusal(`Invalid filter on ${propertyName}: a value is required and must not be blank`));
}

/**
 * Searches what the index shows by now: older values, or nothing, of records written since. Sorted by id; `sorts` is not
 * simulated.
 */
export function searchMemoryRecords(
  type: MemoryObjectType,
  search: CrmSearch,
  now: number,
): { results: CrmRecord[]; total: number; after: string | null } {
  if (search.limit > maxLimit) throw new CrmRefusal(refusal(`Invalid limit: ${search.limit}`));
  if (search.sorts) throw new Error('the CRM twin does not sort');
  const filters = search.filterGroups.map((group) => group.filters);
  for (const filter of filters.flat()) checkFilter(type, filter);
  const found = [...type.records.values()]
    .filter((record) => !record.archived && record.mergedInto === undefined)
    .flatMap((record) => {
      const seen = record.indexed.filter(({ at }) => at <= now).at(-1)?.properties;
      const fits =
        seen !== undefined &&
        (filters.length === 0 || filters.some((group) => group.every((filter) => matches(filter, seen[filter.propertyName]))));
      return fits ? [shown(type, record, search.properties, seen)] : [];
    });
  const from = Number(search.after ?? 0);
  const end = from + search.limit;
  return { results: found.slice(from, end), total: found.length, after: end < found.length ? String(end) : null };
}
