import type { CallResult, CrmRecord, CrmRecords, FindRequest } from '@sluice/ports';
import { callForUnit } from '../calls/call-for-unit';
import { foundRecord } from './found-record';
import type { WriterParts } from '../state/writer-parts';
import type { PortalSession } from '../session/portal-session';
import type { RecordCalls } from '../calls/record-calls';
import type { UnitContext } from '../shared/unit-context';

type Found = Awaited<ReturnType<CrmRecords['find']>>;

const answer = ({ properties }: Pick<FindRequest, 'properties'>, records: readonly CrmRecord[], count: number): Found => {
  const [first] = records;
  return { ok: true, value: { record: first ? foundRecord(first, properties) : null, count } };
};

/** `find`: through the identity mappings, by a unique property, else by search (whose index lags behind writes). */
export function createFindRecord(
  parts: Pick<WriterParts, 'activity' | 'mappings' | 'catalog'>,
  session: PortalSession,
  calls: RecordCalls,
): (unit: UnitContext, request: FindRequest) => Promise<Found> {
  const readOne = async (unit: UnitContext, request: FindRequest, property: string | null, value: string): Promise<Found> => {
    const read = await calls.read(request.objectType, property, request.properties, { unit, value });
    if (!read.ok) return read;
    return answer(request, read.value ? [read.value] : [], read.value ? 1 : 0);
  };
  const searchAll = async (unit: UnitContext, request: FindRequest, pairs: [string, string][]): Promise<Found> => {
    const filters = pairs.map(([propertyName, value]) => ({ propertyName, operator: 'EQ', value }));
    const search = { filterGroups: [{ filters }], properties: request.properties, limit: 1 };
    const found = await callForUnit({ ...parts, session }, unit, 'search', (client, access, options) =>
      client.search(access, request.objectType, search, options),
    );
    return found.ok ? answer(request, found.value.results, found.value.total) : found;
  };
  return async (unit, request) => {
    if (request.through) {
      const mapping = await parts.mappings.find(unit, request.through.entity, request.through.externalId);
      return mapping ? readOne(unit, request, null, mapping.crmId) : answer(request, [], 0);
    }
    const pairs = Object.entries(request.match).map(([property, value]): [string, string | null] => [
      property,
      value === null ? null : String(value),
    ]);
    // No record matches an absent value, and the CRM refuses a search for a blank one.
    if (pairs.length === 0 || pairs.some(([, value]) => value === null || value.trim() === '')) return answer(request, [], 0);
    const given = pairs as [string, string][];
    if (given.length > 1) return searchAll(unit, request, given);
    const [property, value] = given[0]!;
    const unique: CallResult<boolean> = await parts.catalog.isUnique(session, request.objectType, property);
    if (!unique.ok) return unique;
    if (unique.value) return readOne(unit, request, property, value);
    const found = await calls.search(request.objectType, property, request.properties, { unit, value });
    return found.ok ? answer(request, found.value, found.value.length) : found;
  };
}
