import type { CrmSearch } from '../../crm/crm-client';
import { createContacts, createRecords, inTime, valueOf, written, type CrmClientLab } from './crm-client-lab';
import { until } from '../shared/until';

type Filter = CrmSearch['filterGroups'][number]['filters'][number];

/** Reads and searches. */
export function crmReadTests(lab: () => CrmClientLab): void {
  const read = (input: Parameters<CrmClientLab['client']['batchRead']>[2]) =>
    lab().client.batchRead(lab().access, 'contacts', input, inTime);
  const search = (filterGroups: CrmSearch['filterGroups'], more: Partial<CrmSearch> = {}) =>
    lab().client.search(lab().access, 'contacts', { filterGroups, properties: ['email', 'city'], limit: 10, ...more }, inTime);
  const emails = async (...filters: Filter[]): Promise<(string | null | undefined)[]> =>
    valueOf(await search([{ filters }]))
      .results.map((record) => record.properties['email'])
      .sort();

  it('reads by id and by a unique property; what is not there is missing, and named', async () => {
    const [one, two] = await createContacts(lab(), 'a@x.co', 'b@x.co');
    const byId = await read({ ids: [one!, '900001', two!], properties: ['email'] });
    expect(byId.status).toBe(207);
    expect(
      valueOf(byId)
        .results.map((record) => [record.id, record.properties['email']])
        .sort(),
    ).toEqual(
      [
        [one, 'a@x.co'],
        [two, 'b@x.co'],
      ].sort(),
    );
    expect(valueOf(byId).errors.flatMap((error) => error.ids)).toEqual(['900001']);
    const byEmail = valueOf(await read({ ids: ['B@x.co', 'none@x.co'], idProperty: 'email', properties: ['email'] }));
    expect(byEmail.results.map((record) => record.id)).toEqual([two]);
  });

  it('shows an asked property that is empty as null, and an unknown one not at all', async () => {
    const [id] = await createContacts(lab(), 'a@x.co');
    const { properties } = valueOf(await read({ ids: [id!], properties: ['city', 'no_such_property'] })).results[0]!;
    expect(properties['city']).toBeNull();
    expect(properties).not.toHaveProperty('no_such_property');
  });

  it('tells who changed the properties that are asked for, when and last', async () => {
    const app = valueOf(await lab().client.introspect(lab().access.accessToken, inTime)).appId;
    const [id] = await createContacts(lab(), 'a@x.co');
    const update = written('t', { city: 'Rome', firstname: 'Ann' });
    valueOf(await lab().client.batchUpdate(lab().access, 'contacts', [{ id: id!, ...update }], inTime));
    await lab().edit('contacts', id!, { city: 'Bonn' });
    const asked = ['city', 'firstname', 'lastname'];
    const { properties, lastChanges } = valueOf(await read({ ids: [id!], properties: ['email'], lastChanges: asked }))
      .results[0]!;
    expect(properties).toMatchObject({ email: 'a@x.co', city: 'Bonn', firstname: 'Ann', lastname: null });
    expect(lastChanges).toEqual({
      city: { at: expect.stringMatching(/^\d{4}-.*Z$/), sourceType: 'CRM_UI', sourceId: expect.stringMatching(/^userId:/) },
      firstname: { at: expect.stringMatching(/^\d{4}-.*Z$/), sourceType: 'INTEGRATION', sourceId: app },
    });
  });

  it('reads an archived record only when asked for archived ones', async () => {
    const [id] = await createContacts(lab(), 'a@x.co');
    await lab().archive('contacts', id!);
    expect(valueOf(await read({ ids: [id!], properties: [] })).results).toEqual([]);
    expect(valueOf(await read({ ids: [id!], properties: [], archived: true })).results).toMatchObject([{ id, archived: true }]);
    expect(
      valueOf(await lab().client.batchUpdate(lab().access, 'contacts', [{ id: id!, ...written('t', { city: 'Rome' }) }], inTime))
        .errors,
    ).toMatchObject([{ category: 'OBJECT_NOT_FOUND', ids: [id] }]);
  });

  it("answers a merged record under the survivor's id", async () => {
    const [survivor, loser] = await createContacts(lab(), 'a@x.co', 'b@x.co');
    await lab().merge('contacts', survivor!, loser!);
    expect(valueOf(await read({ ids: [loser!], properties: ['email'] })).results).toMatchObject([
      { id: survivor, properties: { email: 'a@x.co' } },
    ]);
    const updated = valueOf(
      await lab().client.batchUpdate(lab().access, 'contacts', [{ id: loser!, ...written('t', { city: 'Rome' }) }], inTime),
    );
    expect(updated).toMatchObject({ results: [{ id: survivor }], errors: [] });
  });

  it('searches by equality without regard to case, by any of several values, and by presence', async () => {
    await createRecords(
      lab(),
      'contacts',
      'email',
      { email: 'a@x.co', city: 'Rome', firstname: 'Ann' },
      { email: 'b@x.co', city: 'rome' },
      { email: 'c@x.co', city: 'Oslo' },
      { email: 'd@x.co' },
    );
    expect(await emails({ propertyName: 'city', operator: 'EQ', value: 'ROME' })).toEqual(['a@x.co', 'b@x.co']);
    expect(await emails({ propertyName: 'city', operator: 'IN', values: ['oslo', 'bonn'] })).toEqual(['c@x.co']);
    expect(await emails({ propertyName: 'city', operator: 'NOT_HAS_PROPERTY' })).toEqual(['d@x.co']);
    expect(
      await emails(
        { propertyName: 'city', operator: 'EQ', value: 'rome' },
        { propertyName: 'firstname', operator: 'HAS_PROPERTY' },
      ),
    ).toEqual(['a@x.co']);
    const either = valueOf(
      await search([
        { filters: [{ propertyName: 'city', operator: 'EQ', value: 'oslo' }] },
        { filters: [{ propertyName: 'firstname', operator: 'EQ', value: 'ann' }] },
      ]),
    );
    expect(either.total).toBe(2);
  });

  it('searches page by page, oldest record first', async () => {
    await createRecords(lab(), 'contacts', 'email', ...[1, 2, 3].map((n) => ({ email: `${n}@x.co`, city: 'Rome' })));
    const filters: CrmSearch['filterGroups'] = [{ filters: [{ propertyName: 'city', operator: 'EQ', value: 'Rome' }] }];
    const first = valueOf(await search(filters, { limit: 2 }));
    expect([first.results.length, first.total]).toEqual([2, 3]);
    const second = valueOf(await search(filters, { limit: 2, after: first.after! }));
    expect([second.results.length, second.after]).toEqual([1, null]);
    const ids = [...first.results, ...second.results].map((record) => Number(record.id));
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  it('refuses a search for a blank value or a property that does not exist', async () => {
    const refused = { ok: false, kind: 'permanent', code: 'crm_rejected', status: 400 };
    expect(await search([{ filters: [{ propertyName: 'city', operator: 'EQ', value: ' ' }] }])).toMatchObject(refused);
    expect(await search([{ filters: [{ propertyName: 'no_such_property', operator: 'EQ', value: 'x' }] }])).toMatchObject(
      refused,
    );
  });

  it('may search what is written only after a while, and reads it at once', async () => {
    await lab().searchLag(60_000);
    const [id] = await createRecords(lab(), 'contacts', 'email', { email: 'a@x.co', city: 'Rome' });
    expect(await emails({ propertyName: 'city', operator: 'EQ', value: 'Rome' })).toEqual([]);
    expect(valueOf(await read({ ids: [id!], properties: ['city'] })).results).toMatchObject([{ properties: { city: 'Rome' } }]);
    expect(valueOf(await read({ ids: ['a@x.co'], idProperty: 'email', properties: [] })).results).toMatchObject([{ id }]);
    await lab().searchLag(100);
    await createRecords(lab(), 'contacts', 'email', { email: 'b@x.co', city: 'Oslo' });
    await until(
      'the search shows it',
      async () => (await emails({ propertyName: 'city', operator: 'EQ', value: 'Oslo' })).length === 1,
    );
  });
}
