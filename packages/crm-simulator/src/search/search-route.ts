import { liveProperty } from '../stores/definition-store';
import { answer, type Answer } from '../http/answer';
import { jsonBody } from '../http/request-body';
import type { PortalCall, PortalRoute } from '../http/route';
import type { ObjectType } from '../model/object-types';
import { objectScopes, requireType, typeOfCall } from '../http/type-of-call';
import { presentRecord, propertyOf } from '../records/present-record';
import type { CrmRecord } from '../stores/record-store';
import type { PortalState } from '../state/portal-state';
import { compareValues, compileFilter, matchesQuery } from './match-filter';
import { readSearch, type SearchFilter, type SearchRequest } from './search-request';

type Stored = Readonly<Record<string, string>>;
type RecordTest = (record: CrmRecord, stored: Stored) => boolean;

function filterTest(portal: PortalState, type: ObjectType, filter: SearchFilter): RecordTest {
  if (filter.association === undefined) {
    const test = compileFilter(filter);
    return (record, stored) => test(propertyOf(type, record, filter.property, stored));
  }
  const to = requireType(portal, filter.association);
  const ids = filter.value === undefined ? filter.values : [filter.value];
  const wanted = (record: CrmRecord): boolean => {
    const partners = portal.associations.of({ typeId: type.id, id: record.id }, to.id);
    return ids.length === 0 ? partners.size > 0 : ids.some((id) => partners.has(id));
  };
  const negative = filter.operator.startsWith('N');
  return (record) => wanted(record) !== negative;
}

function compileSearch(portal: PortalState, type: ObjectType, search: SearchRequest): RecordTest {
  const groups = search.groups.map((group) => group.map((filter) => filterTest(portal, type, filter)));
  return (record, stored) =>
    (groups.length === 0 || groups.some((group) => group.every((test) => test(record, stored))))
    && (search.query.trim() === '' || matchesQuery(search.query, type.searchable.map((name) => stored[name])));
}

/** A smaller set to look through when every group pins a stored text property to given values. */
function candidates(portal: PortalState, type: ObjectType, search: SearchRequest): Iterable<CrmRecord> {
  const { store } = portal.space(type);
  const system = new Set(['hs_object_id', type.createdProperty, type.modifiedProperty] as string[]);
  const pins = search.groups.map((group) => group.find((filter) => (filter.operator === 'EQ' || filter.operator === 'IN')
    && filter.definition?.type === 'string' && !system.has(filter.property)));
  if (pins.length === 0 || pins.some((pin) => pin === undefined)) return store.records.values();
  const found = new Set<CrmRecord>();
  for (const pin of pins) {
    const values = pin!.value === undefined ? pin!.values : [pin!.value];
    for (const record of store.candidates(pin!.property, values.map((value) => value.toLowerCase()))) found.add(record);
  }
  return [...found].sort((a, b) => Number(a.id) - Number(b.id));
}

function search(call: PortalCall): Answer {
  const { portal } = call;
  const type = typeOfCall(call);
  const { store, definitions } = portal.space(type);
  const wanted = readSearch(jsonBody(call.rawBody), definitions);
  const test = compileSearch(portal, type, wanted);
  const now = portal.now();
  const found: { record: CrmRecord; stored: Stored }[] = [];
  for (const record of candidates(portal, type, wanted)) {
    const stored = store.searchView(record, now);
    if (stored && test(record, stored)) found.push({ record, stored });
  }
  const { sort } = wanted;
  if (sort) {
    const kind = liveProperty(definitions, sort.property)?.type;
    const value = ({ record, stored }: { record: CrmRecord; stored: Stored }): string | undefined =>
      propertyOf(type, record, sort.property, stored);
    found.sort(
      (a, b) => (sort.descending ? -1 : 1) * compareValues(kind, value(a), value(b)) || Number(a.record.id) - Number(b.record.id),
    );
  }
  const end = wanted.after + wanted.limit;
  const results = found
    .slice(wanted.after, end)
    .map(({ record, stored }) => presentRecord(portal, type, record, { properties: wanted.properties }, stored));
  const base = { total: found.length, results };
  return answer(200, end < found.length && wanted.limit > 0 ? { ...base, paging: { next: { after: String(end) } } } : base);
}

/** `POST /{t}/search` (docs/reference/crm-api.md, Search). */
export const searchRoutes: readonly PortalRoute[] = [
  {
    method: 'POST',
    path: '/objects/:t/search',
    auth: 'portal',
    budget: 'search',
    scopes: objectScopes('read', 't'),
    handle: search,
  },
];
