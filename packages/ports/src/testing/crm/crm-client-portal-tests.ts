import { createContacts, inTime, valueOf, written, type CrmClientLab } from './crm-client-lab';

/** Property definitions and tokens. */
export function crmPortalTests(lab: () => CrmClientLab): void {
  const shopId = {
    name: 'shop_id',
    label: 'Shop id',
    type: 'string',
    fieldType: 'text',
    groupName: 'shop',
    hasUniqueValue: true,
  };
  const color = {
    name: 'color',
    label: 'Color',
    type: 'enumeration',
    fieldType: 'select',
    groupName: 'shop',
    options: [{ label: 'Red', value: 'red', displayOrder: 0, hidden: false }],
  };
  const createGroup = () => lab().client.createPropertyGroup(lab().access, 'deals', { name: 'shop', label: 'Shop' }, inTime);
  const createProperties = (...definitions: Parameters<CrmClientLab['client']['createProperties']>[2]) =>
    lab().client.createProperties(lab().access, 'deals', definitions, inTime);

  it('creates groups and properties once, and reads them back', async () => {
    expect(valueOf(await createGroup())).toBeNull();
    expect(await createGroup()).toMatchObject({ ok: false, kind: 'permanent', code: 'crm_conflict', status: 409 });
    expect(valueOf(await lab().client.propertyGroups(lab().access, 'deals', inTime))).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'shop', label: 'Shop' })]),
    );
    expect(valueOf(await createProperties(shopId))).toEqual({ created: ['shop_id'], errors: [] });
    const again = await createProperties(shopId, color);
    expect(again.status).toBe(207);
    expect(valueOf(again)).toMatchObject({
      created: ['color'],
      errors: [{ category: 'OBJECT_ALREADY_EXISTS', message: expect.stringContaining('shop_id') }],
    });
    const all = valueOf(await lab().client.properties(lab().access, 'deals', inTime));
    expect(all.find(({ name }) => name === 'shop_id')).toMatchObject({ ...shopId, readOnly: false });
    expect(all.find(({ name }) => name === 'color')).toMatchObject(color);
  });

  it('says which properties nobody may set, and which values are unique', async () => {
    const all = valueOf(await lab().client.properties(lab().access, 'contacts', inTime));
    const named = (name: string) => all.find((property) => property.name === name);
    expect([named('createdate')?.readOnly, named('city')?.readOnly, named('email')?.readOnly]).toEqual([true, false, false]);
    const answer = valueOf(
      await lab().client.batchCreate(
        lab().access,
        'contacts',
        [written('t', { email: 'a@x.co', createdate: '2026-01-01T00:00:00Z' }), written('u', { email: 'b@x.co' })],
        inTime,
      ),
    );
    expect(answer.errors).toMatchObject([{ traceIds: ['t'], message: expect.stringContaining('READ_ONLY_VALUE') }]);
  });

  it('identifies records by a unique property it created, and keeps to its options', async () => {
    valueOf(await createGroup());
    valueOf(await createProperties(shopId, color));
    const deal = { dealname: 'A', dealstage: 'appointmentscheduled' };
    const upsert = (traceId: string, id: string, properties: Record<string, string>) =>
      lab().client.batchUpsert(
        lab().access,
        'deals',
        'shop_id',
        [
          { id, ...written(traceId, { ...deal, ...properties }) },
          { id: `${id}-other`, ...written('other', deal) },
        ],
        inTime,
      );
    const first = valueOf(await upsert('t', 'D-1', { color: 'red' }));
    const second = valueOf(await upsert('t', 'D-1', { color: 'Red' }));
    expect(first.results.map((record) => [record.isNew, record.properties['shop_id']])).toEqual(
      expect.arrayContaining([
        [true, 'D-1'],
        [true, 'D-1-other'],
      ]),
    );
    expect(second.errors).toMatchObject([{ traceIds: ['t'], message: expect.stringContaining('INVALID_OPTION') }]);
    expect(second.results).toMatchObject([{ isNew: false }]);
  });

  it('puts a list of options in place of the old one', async () => {
    valueOf(await createGroup());
    valueOf(await createProperties(color));
    const blue = { label: 'Blue', value: 'blue', displayOrder: 1, hidden: false };
    expect(
      valueOf(await lab().client.updatePropertyOptions(lab().access, 'deals', 'color', [...color.options, blue], inTime)),
    ).toBeNull();
    const named = valueOf(await lab().client.properties(lab().access, 'deals', inTime)).find(({ name }) => name === 'color');
    expect(named?.options).toEqual([...color.options, blue]);
    const deal = { dealname: 'A', dealstage: 'appointmentscheduled', color: 'blue' };
    expect(valueOf(await lab().client.batchCreate(lab().access, 'deals', [written('t', deal)], inTime)).errors).toEqual([]);
    expect(await lab().client.updatePropertyOptions(lab().access, 'deals', 'nothing', [blue], inTime)).toMatchObject({
      ok: false,
      kind: 'permanent',
      code: 'crm_not_found',
      status: 404,
    });
  });

  it('refuses what it does not know: a kind of record, a token', async () => {
    expect(await lab().client.properties(lab().access, 'widgets', inTime)).toMatchObject({
      ok: false,
      kind: 'permanent',
      code: 'crm_rejected',
      status: 400,
    });
    const stranger = { ...lab().access, accessToken: 'no-such-token' };
    expect(await lab().client.batchRead(stranger, 'contacts', { ids: ['1'], properties: [] }, inTime)).toMatchObject({
      ok: false,
      kind: 'fatal',
      code: 'crm_unauthorized',
      status: 401,
    });
  });

  it('says whose a token is, and that it knows none of that name', async () => {
    const info = valueOf(await lab().client.introspect(lab().access.accessToken, inTime));
    expect(info).toMatchObject({ portalId: lab().access.portalId, scopes: expect.arrayContaining([expect.any(String)]) });
    expect(await lab().client.introspect('no-such-token', inTime)).toMatchObject({
      ok: false,
      kind: 'permanent',
      code: 'crm_token_refused',
    });
  });

  it('exchanges a refresh token for an access token that works, as often as asked', async () => {
    const first = valueOf(await lab().client.refreshToken(lab().refreshToken, inTime));
    const second = valueOf(await lab().client.refreshToken(first.refreshToken, inTime));
    expect(second.expiresInS).toBeGreaterThan(0);
    expect(valueOf(await lab().client.introspect(second.accessToken, inTime)).portalId).toBe(lab().access.portalId);
    const [id] = await createContacts({ ...lab(), access: { ...lab().access, accessToken: second.accessToken } }, 'a@x.co');
    expect(id).toMatch(/^\d+$/);
    expect(await lab().client.refreshToken('no-such-token', inTime)).toMatchObject({
      ok: false,
      kind: 'permanent',
      code: 'crm_token_refused',
    });
  });

  it('exchanges the code of an install for tokens of its portal, once', async () => {
    const install = { code: await lab().installCode(), redirectUri: 'https://sluice.example/callback' };
    const { accessToken, expiresInS, refreshToken } = valueOf(await lab().client.exchangeCode(install, inTime));
    expect(expiresInS).toBeGreaterThan(0);
    expect(valueOf(await lab().client.introspect(accessToken, inTime)).portalId).toBe(lab().access.portalId);
    expect(valueOf(await lab().client.refreshToken(refreshToken, inTime)).accessToken).not.toBe('');
    expect(await lab().client.exchangeCode(install, inTime)).toMatchObject({
      ok: false, kind: 'permanent', code: 'crm_token_refused',
    });
  });
}
