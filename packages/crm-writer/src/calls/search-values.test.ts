import type { CrmClient, CrmRecord, CrmSearch } from '@sluice/ports';
import { answered, failed, fakeSession } from '../test-support/fake-session';
import { testContext } from '../test-support/test-context';
import type { ReadRequest } from './record-requests';
import { searchValues } from './search-values';

const record = (id: string, number: string): CrmRecord => ({
  id,
  properties: { number },
  archived: false,
  createdAt: '',
  updatedAt: '',
});
const asks = (...values: string[]): ReadRequest[] => values.map((value) => ({ unit: testContext(), value }));

/** A portal of deals, searched as the CRM does: without regard to case. A page holds `pageSize`. */
function portal(records: CrmRecord[], pageSize = 200) {
  const filters: CrmSearch['filterGroups'][number]['filters'] = [];
  const properties: string[][] = [];
  const search: CrmClient['search'] = (_access, _type, sent) => {
    const filter = sent.filterGroups[0]!.filters[0]!;
    filters.push(filter);
    properties.push(sent.properties);
    const wanted = (filter.values ?? [filter.value!]).map((value) => value.toLowerCase());
    const matches = records.filter((one) => wanted.includes(one.properties['number']!.toLowerCase()));
    return Promise.resolve(answered({ results: matches.slice(0, pageSize), total: matches.length, after: null }));
  };
  const session = fakeSession({ search });
  const ids = async (wanted: ReadRequest[]): Promise<string[][]> =>
    (await searchValues(session, 'deals', 'number', ['name'], wanted)).map((result) =>
      result.ok ? result.value.map(({ id }) => id) : [result.code],
    );
  return { filters, properties, session, ids };
}

describe('search of many values', () => {
  it('searches all of them in one call, and gives each its matches, ignoring case', async () => {
    const { filters, properties, session, ids } = portal([record('1', 'a-1'), record('2', 'B-2'), record('3', 'A-1')]);
    expect(await ids(asks('A-1', ' b-2 ', 'none', 'a-1'))).toEqual([['1', '3'], ['2'], [], ['1', '3']]);
    expect(filters).toEqual([{ propertyName: 'number', operator: 'IN', values: ['a-1', 'b-2', 'none'] }]);
    expect(properties).toEqual([['name', 'number']]);
    expect(session.kinds).toEqual(['search']);
  });

  it('searches a single value exactly, also when several requests need it', async () => {
    const { filters, ids } = portal([record('1', 'A-1')]);
    expect(await ids(asks('A-1', 'A-1 '))).toEqual([['1'], ['1']]);
    expect(filters).toEqual([{ propertyName: 'number', operator: 'EQ', value: 'A-1' }]);
  });

  it('searches each alone when the page does not contain all matches', async () => {
    const { filters, ids } = portal([record('1', 'a'), record('2', 'a'), record('3', 'b')], 2);
    expect(await ids(asks('a', 'b'))).toEqual([['1', '2'], ['3']]);
    expect(filters.map(({ operator, value }) => [operator, value])).toEqual([['IN', undefined], ['EQ', 'a'], ['EQ', 'b']]);
  });

  it('fails for all when the search fails', async () => {
    const session = fakeSession({ search: () => Promise.resolve(failed('transient', 429, 'crm_rate_limited')) });
    expect(await searchValues(session, 'deals', 'number', [], asks('a', 'b'))).toMatchObject([
      { ok: false, code: 'crm_rate_limited' },
      { ok: false, code: 'crm_rate_limited' },
    ]);
  });
});
