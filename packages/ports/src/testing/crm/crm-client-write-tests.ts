import { createContacts, inTime, readOne, resultFor, valueOf, written, type CrmClientLab } from './crm-client-lab';

/** Creates, updates and upserts: who finds which result again, and what a refused input does to the others. */
export function crmWriteTests(lab: () => CrmClientLab): void {
  const update = (...inputs: { id: string; traceId: string; properties: Record<string, string | null> }[]) =>
    lab().client.batchUpdate(lab().access, 'contacts', inputs, inTime);
  const upsert = (...inputs: { id: string; traceId: string; properties: Record<string, string | null> }[]) =>
    lab().client.batchUpsert(lab().access, 'contacts', 'email', inputs, inTime);

  it('creates; every result leads back to its input, values are text', async () => {
    const names = ['A', 'B', 'C'];
    const inputs = names.map((name, index) =>
      written(`t-${name}`, { dealname: name, dealstage: 'appointmentscheduled', amount: index + 0.5 }),
    );
    const answer = await lab().client.batchCreate(lab().access, 'deals', inputs, inTime);
    const found = names.map((name) =>
      resultFor(valueOf(answer), `t-${name}`, (record) => record.properties['dealname'] === name),
    );
    expect(found.map((record) => [record?.properties['dealname'], record?.properties['amount'], record?.archived])).toEqual([
      ['A', '0.5', false],
      ['B', '1.5', false],
      ['C', '2.5', false],
    ]);
    expect(new Set(found.map((record) => record?.id)).size).toBe(3);
    for (const record of found)
      expect(record).toMatchObject({
        id: expect.stringMatching(/^\d+$/),
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      });
    expect(valueOf(answer).errors).toEqual([]);
  });

  it('creates a record again when asked again: nothing but a unique property keeps twins away', async () => {
    const deal = [written('t', { dealname: 'A', dealstage: 'appointmentscheduled' })];
    const ids = [
      await lab().client.batchCreate(lab().access, 'deals', deal, inTime),
      await lab().client.batchCreate(lab().access, 'deals', deal, inTime),
    ].map((answer) => valueOf(answer).results[0]!.id);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('refuses a create of a unique value that is taken, and says who has it', async () => {
    const [id] = await createContacts(lab(), 'a@x.co');
    const answer = await lab().client.batchCreate(
      lab().access,
      'contacts',
      [written('taken', { email: 'A@x.co' }), written('free', { email: 'b@x.co' })],
      inTime,
    );
    expect(answer.status).toBe(207);
    expect(valueOf(answer).errors).toMatchObject([
      { category: 'CONFLICT', traceIds: ['taken'], message: expect.stringContaining(`Existing ID: ${id}`), holderId: id },
    ]);
    expect(valueOf(answer).results.map((record) => record.properties['email'])).toEqual(['b@x.co']);
  });

  it('refuses an update to a unique value that another record holds, alone or among others, and says who has it', async () => {
    const [one, two] = await createContacts(lab(), 'a@x.co', 'b@x.co');
    const taking = { id: two!, properties: { email: 'A@x.co', city: 'Rome' } };
    const among = await update({ ...taking, traceId: 'taken' }, { id: one!, traceId: 'free', properties: { city: 'Oslo' } });
    expect(valueOf(among)).toMatchObject({
      errors: [{ category: 'VALIDATION_ERROR', traceIds: ['taken'], holderId: one }],
      results: [{ id: one }],
    });
    const whole = await update({ ...taking, traceId: 'same' }, { id: one!, traceId: 'same', properties: { city: 'Bonn' } });
    expect(whole).toMatchObject({ ok: false, kind: 'permanent', status: 400, code: 'crm_value_taken', holderId: one });
    expect([await readOne(lab(), 'contacts', one!, 'city'), await readOne(lab(), 'contacts', two!, 'city', 'email')]).toEqual([
      { city: 'Oslo' },
      { city: null, email: 'b@x.co' },
    ]);
  });

  it('makes one record of two creates that carry one unique value', async () => {
    const answer = valueOf(
      await lab().client.batchCreate(
        lab().access,
        'contacts',
        [written('one', { email: 'a@x.co' }), written('two', { email: 'A@x.co' })],
        inTime,
      ),
    );
    expect(answer.results).toHaveLength(1);
    expect(answer.errors).toMatchObject([{ category: 'CONFLICT' }]);
    expect([answer.results[0]!.traceId, ...answer.errors[0]!.traceIds].sort()).toEqual(['one', 'two']);
    expect(
      valueOf(
        await lab().client.batchRead(lab().access, 'contacts', { ids: ['a@x.co'], idProperty: 'email', properties: [] }, inTime),
      ).results,
    ).toHaveLength(1);
  });

  it('updates by id, and only what was given; null clears', async () => {
    const [one, two] = await createContacts(lab(), 'a@x.co', 'b@x.co');
    valueOf(await update({ id: one!, traceId: 't', properties: { city: 'Rome', firstname: 'Ann' } }));
    const answer = valueOf(
      await update(
        { id: two!, traceId: 't2', properties: { city: 'Oslo' } },
        { id: one!, traceId: 't1', properties: { city: null } },
      ),
    );
    expect(resultFor(answer, 't1', (record) => record.id === one)?.id).toBe(one);
    expect(resultFor(answer, 't2', (record) => record.id === two)?.id).toBe(two);
    expect(await readOne(lab(), 'contacts', one!, 'city', 'firstname', 'email')).toEqual({
      city: null,
      firstname: 'Ann',
      email: 'a@x.co',
    });
    expect(await readOne(lab(), 'contacts', two!, 'city', 'email')).toEqual({ city: 'Oslo', email: 'b@x.co' });
  });

  it('writes the rest when ids of an update are unknown, and names them', async () => {
    const [id] = await createContacts(lab(), 'a@x.co');
    const inputs = [
      { id: '900001', traceId: 'x', properties: { city: 'Oslo' } },
      { id: id!, traceId: 'y', properties: { city: 'Rome' } },
      { id: '900002', traceId: 'z', properties: { city: 'Oslo' } },
    ];
    const answer = await update(...inputs);
    expect(answer.status).toBe(207);
    expect(valueOf(answer).results.map((record) => record.id)).toEqual([id]);
    const errors = valueOf(answer).errors;
    expect(errors.every((error) => error.category === 'OBJECT_NOT_FOUND')).toBe(true);
    expect(errors.flatMap((error) => error.ids).sort()).toEqual(['900001', '900002']);
  });

  it('upserts by a unique property and says which records are new', async () => {
    expect(valueOf(await upsert({ id: 'a@x.co', traceId: 't', properties: { city: 'Rome' } })).results).toMatchObject([
      { isNew: true, properties: { email: 'a@x.co' } },
    ]);
    const answer = valueOf(
      await upsert(
        { id: 'b@x.co', traceId: 'b', properties: { city: 'Oslo' } },
        { id: 'A@X.co', traceId: 'a', properties: { city: 'Bonn' } },
      ),
    );
    const seen = (traceId: string, email: string) => resultFor(answer, traceId, (record) => record.properties['email'] === email);
    expect([seen('a', 'a@x.co')?.isNew, seen('b', 'b@x.co')?.isNew]).toEqual([false, true]);
    expect(await readOne(lab(), 'contacts', seen('a', 'a@x.co')!.id, 'city', 'email')).toEqual({ city: 'Bonn', email: 'a@x.co' });
  });

  it.each(['create', 'update', 'upsert'] as const)(
    'a refused input of a batch %s refuses nobody else, and is named by its trace id',
    async (how) => {
      const ids = await createContacts(lab(), '1@x.co', '2@x.co', '3@x.co');
      const bad = { no_such_property: 'x' };
      const answer =
        how === 'create'
          ? await lab().client.batchCreate(
              lab().access,
              'contacts',
              [written('t0', { email: '4@x.co' }), written('t1', bad), written('t2', { email: '5@x.co' })],
              inTime,
            )
          : how === 'update'
            ? await update(
                ...ids.map((id, index) => ({ id, traceId: `t${index}`, properties: index === 1 ? bad : { city: 'Rome' } })),
              )
            : await upsert(
                ...ids.map((_, index) => ({
                  id: `${index + 1}@x.co`,
                  traceId: `t${index}`,
                  properties: index === 1 ? bad : { city: 'Rome' },
                })),
              );
      expect(answer.status).toBe(207);
      const { results, errors } = valueOf(answer);
      expect(errors).toMatchObject([
        { category: 'VALIDATION_ERROR', traceIds: ['t1'], message: expect.stringContaining('no_such_property') },
      ]);
      expect(results).toHaveLength(2);
      if (how !== 'create')
        expect([await readOne(lab(), 'contacts', ids[0]!, 'city'), await readOne(lab(), 'contacts', ids[1]!, 'city')]).toEqual([
          { city: 'Rome' },
          { city: null },
        ]);
    },
  );

  it('refuses the whole batch when two inputs share a trace id and one is bad', async () => {
    const answer = await lab().client.batchCreate(
      lab().access,
      'contacts',
      [written('same', { email: 'a@x.co' }), written('same', { no_such_property: 'x' })],
      inTime,
    );
    expect(answer).toMatchObject({
      ok: false,
      kind: 'permanent',
      code: 'crm_rejected',
      status: 400,
      body: {
        category: 'VALIDATION_ERROR',
        errors: [{ code: 'PROPERTY_DOESNT_EXIST', context: { propertyName: ['no_such_property'] } }],
      },
    });
    const found = valueOf(
      await lab().client.batchRead(lab().access, 'contacts', { ids: ['a@x.co'], idProperty: 'email', properties: [] }, inTime),
    );
    expect(found.results).toEqual([]);
  });

  it('refuses a batch that names one record twice, is too large, or upserts by a property that is not unique', async () => {
    const [id] = await createContacts(lab(), 'a@x.co');
    const refused = { ok: false, kind: 'permanent', code: 'crm_rejected', status: 400 };
    const twice = (value: string) => [
      { id: value, traceId: '1', properties: { city: 'Rome' } },
      { id: value, traceId: '2', properties: { city: 'Oslo' } },
    ];
    expect(await update(...twice(id!))).toMatchObject(refused);
    expect(await upsert(...twice('b@x.co'))).toMatchObject(refused);
    expect(
      await upsert(
        ...Array.from({ length: 101 }, (_, index) => ({ id: `${index}@x.co`, traceId: String(index), properties: {} })),
      ),
    ).toMatchObject(refused);
    expect(
      await lab().client.batchUpsert(
        lab().access,
        'companies',
        'domain',
        [{ id: 'x.co', ...written('t', { name: 'X' }) }],
        inTime,
      ),
    ).toMatchObject(refused);
    expect(await readOne(lab(), 'contacts', id!, 'city')).toEqual({ city: null });
  });

  it('archives records; one that is not there is archived too, and reads show none of them', async () => {
    const [one, two] = await createContacts(lab(), 'a@x.co', 'b@x.co');
    const archive = (...ids: string[]) => lab().client.batchArchive(lab().access, 'contacts', ids, inTime);
    expect(valueOf(await archive(one!, '900001'))).toBeNull();
    expect(valueOf(await archive(one!))).toBeNull();
    const { results } = valueOf(
      await lab().client.batchRead(lab().access, 'contacts', { ids: [one!, two!], properties: [] }, inTime),
    );
    expect(results.map(({ id }) => id)).toEqual([two]);
    expect(await archive(two!, two!)).toMatchObject({ ok: false, kind: 'permanent', code: 'crm_rejected' });
  });
}
