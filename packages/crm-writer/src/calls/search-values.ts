import type { CallResult, CrmRecord, CrmSearch } from '@sluice/ports';
import { callContextOf } from './call-context';
import type { PortalSession } from '../session/portal-session';
import type { ReadRequest } from './record-requests';

/** The CRM's largest page of a search (docs/reference/crm-api.md, Search). */
const pageLimit = 200;

const fold = (value: string): string => value.trim().toLowerCase();

const page = (property: string, operator: 'IN' | 'EQ', values: string[], properties: string[]): CrmSearch => ({
  filterGroups: [
    {
      filters: [
        operator === 'IN'
          ? { propertyName: property, operator, values }
          : { propertyName: property, operator, value: values[0]! },
      ],
    },
  ],
  properties: [...new Set([...properties, property])],
  limit: pageLimit,
});

/**
 * Searches many values of one property in one call. `IN` needs values in lower case. When more records match than fit on a page,
 * each value is searched alone.
 */
export async function searchValues(
  session: PortalSession, objectType: string, property: string, properties: string[], asks: ReadRequest[],
): Promise<CallResult<CrmRecord[]>[]> {
  const values = [...new Set(asks.map((ask) => ask.value.trim()))];
  const send = (
    search: CrmSearch,
  ): ReturnType<typeof session.call<{ results: CrmRecord[]; total: number; after: string | null }>> =>
    session.call('search', (client, access, options) => client.search(access, objectType, search, options), callContextOf(asks));
  const one = values.length === 1;
  const answer = await send(page(property, one ? 'EQ' : 'IN', one ? values : [...new Set(values.map(fold))], properties));
  if (!answer.ok) return asks.map(() => answer);
  if (one) return asks.map(() => ({ ok: true, value: answer.value.results }));
  if (answer.value.total > answer.value.results.length) {
    const results: CallResult<CrmRecord[]>[] = [];
    for (const ask of asks) results.push((await searchValues(session, objectType, property, properties, [ask]))[0]!);
    return results;
  }
  const byValue = new Map<string, CrmRecord[]>();
  for (const record of answer.value.results) {
    const key = fold(record.properties[property] ?? '');
    byValue.set(key, [...(byValue.get(key) ?? []), record]);
  }
  return asks.map((ask) => ({ ok: true, value: byValue.get(fold(ask.value)) ?? [] }));
}
