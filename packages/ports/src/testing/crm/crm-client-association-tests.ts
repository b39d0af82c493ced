import { createContacts, createRecords, inTime, valueOf, type CrmClientLab } from './crm-client-lab';

/** Associations: typed, default, read from both sides, archived. */
export function crmAssociationTests(lab: () => CrmClientLab): void {
  const companies = (...names: string[]): Promise<string[]> =>
    createRecords(lab(), 'companies', 'name', ...names.map((name) => ({ name })));
  const contact = async (): Promise<string> => (await createContacts(lab(), 'a@x.co'))[0]!;
  const partners = async (fromType: string, toType: string, ...ids: string[]): Promise<Record<string, string[]>> => {
    const entries = valueOf(await lab().client.batchReadAssociations(lab().access, fromType, toType, ids, inTime));
    return Object.fromEntries(entries.map(({ fromId, to }) => [fromId, to.map(({ id }) => id).sort()]));
  };
  const byDefault = (...inputs: { fromId: string; toId: string }[]) =>
    lab().client.batchAssociateDefault(lab().access, 'contacts', 'companies', inputs, inTime);

  it('lists the types from one kind of record to another; the unlabelled one is the default', async () => {
    const forth = valueOf(await lab().client.associationTypes(lab().access, 'contacts', 'companies', inTime));
    const back = valueOf(await lab().client.associationTypes(lab().access, 'companies', 'contacts', inTime));
    expect(forth).toEqual(
      expect.arrayContaining([
        { category: 'HUBSPOT_DEFINED', typeId: 279, label: null },
        { category: 'HUBSPOT_DEFINED', typeId: 1, label: 'Primary' },
      ]),
    );
    expect(back).toEqual(expect.arrayContaining([{ category: 'HUBSPOT_DEFINED', typeId: 280, label: null }]));
  });

  it('tells how many partners an administrator lets a record have by a type', async () => {
    const limits = async () => valueOf(await lab().client.associationLimits(lab().access, 'contacts', 'companies', inTime));
    expect(await limits()).toEqual([]);
    await lab().limitPartners('contacts', 'companies', 279, 1);
    expect(await limits()).toEqual([{ category: 'HUBSPOT_DEFINED', typeId: 279, max: 1 }]);
  });

  it('associates by default, seen from both sides, and again without harm', async () => {
    const from = await contact();
    const [one, two] = await companies('One', 'Two');
    const pairs = [{ fromId: from, toId: one! }, { fromId: from, toId: two! }];
    expect(valueOf(await byDefault(...pairs))).toEqual({ done: 2, errors: [] });
    expect(valueOf(await byDefault(...pairs))).toEqual({ done: 2, errors: [] });
    expect(await partners('contacts', 'companies', from)).toEqual({ [from]: [one, two].sort() });
    expect(await partners('companies', 'contacts', one!, two!)).toEqual({ [one!]: [from], [two!]: [from] });
  });

  it('associates with the types given, which show beside the default one', async () => {
    const from = await contact();
    const [to] = await companies('One');
    const typed = [{ fromId: from, toId: to!, types: [{ category: 'HUBSPOT_DEFINED', typeId: 1 }] }];
    expect(valueOf(await lab().client.batchAssociate(lab().access, 'contacts', 'companies', typed, inTime))).toEqual({
      done: 1,
      errors: [],
    });
    const [entry] = valueOf(await lab().client.batchReadAssociations(lab().access, 'contacts', 'companies', [from], inTime));
    expect(entry!.to[0]!.types).toEqual(
      expect.arrayContaining([
        { category: 'HUBSPOT_DEFINED', typeId: 1, label: 'Primary' },
        { category: 'HUBSPOT_DEFINED', typeId: 279, label: null },
      ]),
    );
  });

  it('leaves out records without associations and records that are not there', async () => {
    const [one, two] = await createContacts(lab(), 'a@x.co', 'b@x.co');
    const [company] = await companies('One');
    valueOf(await byDefault({ fromId: one!, toId: company! }));
    expect(await partners('contacts', 'companies', one!, two!, '900001')).toEqual({ [one!]: [company] });
  });

  it('writes the pairs it can, counts them, and names the records that are not there', async () => {
    const from = await contact();
    const [company] = await companies('One');
    const answer = await byDefault(
      { fromId: from, toId: '900001' },
      { fromId: from, toId: company! },
      { fromId: '900002', toId: company! },
    );
    expect(answer.status).toBe(207);
    const { done, errors } = valueOf(answer);
    expect(done).toBe(1);
    const named = errors.flatMap(({ context }) => Object.values(context).flat());
    expect(named).toEqual(expect.arrayContaining(['900001', '900002']));
    expect(await partners('contacts', 'companies', from)).toEqual({ [from]: [company] });
  });

  it('refuses a type that does not exist between the two kinds', async () => {
    const from = await contact();
    const [to] = await companies('One');
    const typed = [{ fromId: from, toId: to!, types: [{ category: 'HUBSPOT_DEFINED', typeId: 4 }] }];
    const answer = await lab().client.batchAssociate(lab().access, 'contacts', 'companies', typed, inTime);
    expect(answer.ok ? answer.value.done : answer.kind).toBe(answer.ok ? 0 : 'permanent');
    expect(await partners('contacts', 'companies', from)).toEqual({});
  });

  it('archives pairs from both sides; one that does not exist is archived too', async () => {
    const from = await contact();
    const [one, two] = await companies('One', 'Two');
    valueOf(await byDefault({ fromId: from, toId: one! }, { fromId: from, toId: two! }));
    expect(
      valueOf(
        await lab().client.batchArchiveAssociations(
          lab().access,
          'contacts',
          'companies',
          [{ fromId: from, toIds: [one!, '900001'] }],
          inTime,
        ),
      ),
    ).toBeNull();
    expect(await partners('contacts', 'companies', from)).toEqual({ [from]: [two] });
    expect(await partners('companies', 'contacts', one!)).toEqual({});
  });

  it('archives the given types of a pair, from both sides; the default type takes the whole pair with it', async () => {
    const from = await contact();
    const [one, two] = await companies('One', 'Two');
    valueOf(await byDefault({ fromId: from, toId: one! }, { fromId: from, toId: two! }));
    const primary = { category: 'HUBSPOT_DEFINED', typeId: 1 };
    const archive = (toId: string, typeId: number) =>
      lab().client.batchArchiveLabels(
        lab().access,
        'contacts',
        'companies',
        [{ fromId: from, toId, types: [{ category: 'HUBSPOT_DEFINED', typeId }] }],
        inTime,
      );
    const labelled = [{ fromId: from, toId: one!, types: [primary] }];
    valueOf(await lab().client.batchAssociate(lab().access, 'contacts', 'companies', labelled, inTime));
    expect(valueOf(await archive(one!, 1))).toBeNull();
    expect(await partners('contacts', 'companies', from)).toEqual({ [from]: [one, two] });
    expect(valueOf(await archive(one!, 279))).toBeNull();
    expect(await partners('contacts', 'companies', from)).toEqual({ [from]: [two] });
    expect(await partners('companies', 'contacts', one!)).toEqual({});
    expect(await archive(two!, 4)).toMatchObject({ ok: false, kind: 'permanent' });
  });
}
