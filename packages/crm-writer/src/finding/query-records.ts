import type { CallResult, FoundRecord, QueryAnswer, QueryFilter, QueryRequest } from '@sluice/ports';
import { callForUnit } from '../calls/call-for-unit';
import { foundRecord } from './found-record';
import type { PortalSession } from '../session/portal-session';
import type { UnitContext } from '../shared/unit-context';
import type { WriterParts } from '../state/writer-parts';

/** Records that one search returns at most (docs/reference/crm-api.md, Search). */
const pageSize = 200;

/** Texts are compared without regard to case, but for lists of values: these must be in lower case. */
const crmFilter = ({ property, values, ...condition }: QueryFilter) => ({
  propertyName: property,
  ...condition,
  ...(values && { values: values.map((value) => value.toLowerCase()) }),
});

/** `query`: reads page by page until there are no more records, or enough. Each page is a search of its own. */
export function createQueryRecords(
  { activity }: Pick<WriterParts, 'activity'>,
  session: PortalSession,
): (unit: UnitContext, request: QueryRequest) => Promise<CallResult<QueryAnswer>> {
  return async (unit, { objectType, filterGroups, properties, sorts, limit }) => {
    const search = {
      filterGroups: filterGroups.map((filters) => ({ filters: filters.map(crmFilter) })),
      properties,
      ...(sorts.length > 0 && { sorts: sorts.map(({ property, direction }) => ({ propertyName: property, direction })) }),
    };
    const rows: FoundRecord[] = [];
    for (let after: string | undefined; ;) {
      const page = { ...search, limit: Math.min(pageSize, limit - rows.length), ...(after !== undefined && { after }) };
      const found = await callForUnit({ activity, session }, unit, 'search', (client, access, options) =>
        client.search(access, objectType, page, options),
      );
      if (!found.ok) return found;
      const { results, total, after: next } = found.value;
      rows.push(...results.map((record) => foundRecord(record, properties)));
      if (next === null || results.length === 0 || rows.length >= limit) return { ok: true, value: { rows, total } };
      after = next;
    }
  };
}
