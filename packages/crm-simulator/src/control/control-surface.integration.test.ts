import { startForTest, type RunningSimulator } from '../testing/start-for-test';

let run: RunningSimulator;
beforeAll(async () => {
  run = await startForTest();
});
beforeEach(() => run.call('POST', '/_sim/reset'));
afterAll(() => run.simulator.stop());

const upsert = (emails: readonly string[], properties: Record<string, string> = { city: 'Rome' }, token?: string) =>
  run.call(
    'POST',
    '/crm/v3/objects/contacts/batch/upsert',
    { inputs: emails.map((id) => ({ id, idProperty: 'email', properties })) },
    token,
  );

describe('portals', () => {
  it('gives each portal its own tokens and records', async () => {
    const made = await run.call('POST', '/_sim/portals', { portal_id: 77 });
    expect(made).toMatchObject({
      status: 200,
      body: { portal_id: 77, access_token: 'sim-access-77', refresh_token: 'sim-refresh-77' },
    });
    await upsert(['a@x.co'], { city: 'Oslo' }, 'sim-access-77');
    expect((await run.call('GET', '/_sim/records?portal_id=77&object_type=contacts')).body.total).toBe(1);
    expect((await run.call('GET', '/_sim/records?portal_id=1000001&object_type=contacts')).body.total).toBe(0);
    const next = await run.call('POST', '/_sim/portals', {});
    expect(next.body.portal_id).toBe(1000002);
  });

  it('reset forgets everything but the default portal', async () => {
    await run.call('POST', '/_sim/portals', { portal_id: 77 });
    await upsert(['a@x.co']);
    await run.call('POST', '/_sim/faults', { status: 500 });
    await run.call('POST', '/_sim/reset');
    expect((await run.call('GET', '/_sim/records')).body.total).toBe(0);
    expect((await run.call('GET', '/_sim/calls')).body.total).toBe(0);
    expect((await upsert(['a@x.co'])).status).toBe(200);
    expect((await upsert(['a@x.co'], {}, 'sim-access-77')).status).toBe(401);
  });

  it.each([
    ['POST', '/_sim/portals', { latency_ms: -1 }, 'latency_ms'],
    ['POST', '/_sim/portals', { scopes: 'all' }, 'scopes'],
    ['POST', '/_sim/portals', { colour: 1 }, 'colour'],
    ['POST', '/_sim/portals', { portal_id: 1000001 }, 'portal_id'],
    ['POST', '/_sim/faults', { path: '(' }, 'path'],
    ['POST', '/_sim/faults', { times: 0 }, 'times'],
    ['POST', '/_sim/faults', { probability: 2 }, 'probability'],
    ['GET', '/_sim/calls?after=x', undefined, 'after'],
    ['GET', '/_sim/records?object_type=widgets', undefined, 'object_type'],
    ['POST', '/_sim/edits', { portal_id: 1000001, object_type: 'contacts', action: 'fly' }, 'action'],
    ['POST', '/_sim/edits', { object_type: 'contacts', action: 'create' }, 'portal_id'],
    ['POST', '/_sim/edits', { portal_id: 1000001, object_type: 'contacts', action: 'update', id: '9' }, 'id'],
  ])('answers %s %s %j with 400 naming %s', async (method, path, body, field) => {
    expect(await run.call(method, path, body)).toMatchObject({
      status: 400,
      body: { field, message: expect.stringContaining(field) },
    });
  });

  it('takes the id of a portal as a number or as its digits', async () => {
    expect((await run.call('POST', '/_sim/portals', { portal_id: '77' })).body.portal_id).toBe(77);
    const edit = (portalId: unknown) => run.call('POST', '/_sim/edits', {
      portal_id: portalId, object_type: 'contacts', action: 'create', properties: { city: 'Rome' },
    });
    for (const portalId of [77, '77']) expect((await edit(portalId)).status).toBe(200);
    expect((await run.call('GET', '/_sim/records?portal_id=77')).body.total).toBe(2);
    await run.call('POST', '/_sim/faults', { portal_id: '77', status: 503 });
    expect((await upsert(['a@x.co'])).status).toBe(200);
    expect((await upsert(['a@x.co'], {}, 'sim-access-77')).status).toBe(503);
    for (const portalId of ['', '0', '77x', '-77', '7.7', true])
      expect(await edit(portalId)).toMatchObject({ status: 400, body: { field: 'portal_id' } });
  });
});

describe('faults', () => {
  it('answers instead of the work, so many times', async () => {
    await run.call('POST', '/_sim/faults', {
      path: 'batch/upsert$',
      status: 503,
      headers: { 'Retry-After': '3' },
      body: { oops: true },
      times: 1,
    });
    const failed = await upsert(['a@x.co']);
    expect(failed).toMatchObject({ status: 503, body: { oops: true } });
    expect(failed.headers.get('retry-after')).toBe('3');
    expect((await run.call('GET', '/_sim/records?object_type=contacts')).body.total).toBe(0);
    expect((await upsert(['a@x.co'])).status).toBe(200);
  });

  it('can do the work first, then fail or cut the connection', async () => {
    await run.call('POST', '/_sim/faults', { after_write: true, status: 502, times: 1, path: 'upsert' });
    expect((await upsert(['a@x.co'])).status).toBe(502);
    await run.call('POST', '/_sim/faults', { after_write: true, drop: true, times: 1, path: 'upsert' });
    await expect(upsert(['b@x.co'])).rejects.toThrow();
    expect(
      (await run.call('GET', '/_sim/records?object_type=contacts')).body.items.map((one: any) => one.properties.email),
    ).toEqual(['a@x.co', 'b@x.co']);
    const calls = await run.call('GET', '/_sim/calls?path=upsert');
    expect(calls.body.items.map((one: any) => [one.status, one.fault_id])).toEqual([[502, 'fault-1'], [null, 'fault-2']]);
  });

  it('strikes only the portal, method and body it is meant for, and goes when deleted', async () => {
    const { body } = await run.call('POST', '/_sim/faults', {
      portal_id: 1000001,
      method: 'post',
      body_contains: 'bad@x.co',
      status: 500,
    });
    expect((await upsert(['good@x.co'])).status).toBe(200);
    expect((await upsert(['bad@x.co'])).status).toBe(500);
    expect((await run.call('DELETE', `/_sim/faults/${body.fault_id}`)).status).toBe(200);
    expect((await upsert(['bad@x.co'])).status).toBe(200);
    expect((await run.call('DELETE', `/_sim/faults/${body.fault_id}`)).status).toBe(404);
    await run.call('POST', '/_sim/faults', { status: 500 });
    expect((await run.call('DELETE', '/_sim/faults')).body).toEqual({ deleted: 1 });
  });

  it('delays and lets through when only a delay is given', async () => {
    await run.call('POST', '/_sim/faults', { delay_ms: 30 });
    expect((await upsert(['a@x.co'])).status).toBe(200);
  });
});

describe('what happened', () => {
  it('shows calls with batch size, request and query, filtered', async () => {
    await upsert(['a@x.co', 'b@x.co']);
    await run.call('GET', '/crm/v3/objects/contacts/101?properties=email');
    const all = await run.call('GET', '/_sim/calls?portal_id=1000001');
    expect(all.body).toMatchObject({
      total: 2,
      items: [
        {
          portal_id: 1000001,
          method: 'POST',
          path: '/crm/v3/objects/contacts/batch/upsert',
          status: 200,
          inputs: 2,
          request: { inputs: [{ id: 'a@x.co' }, { id: 'b@x.co' }] },
          fault_id: null,
        },
        { method: 'GET', path: '/crm/v3/objects/contacts/101', query: 'properties=email', inputs: null, request: null },
      ],
    });
    expect((await run.call('GET', `/_sim/calls?after=${all.body.items[0].seq}&path=contacts/\\d`)).body.total).toBe(1);
  });

  it('counts by route, with ids left out', async () => {
    await upsert(['a@x.co', 'b@x.co']);
    await run.call('GET', '/crm/v3/objects/contacts/101');
    await run.call('GET', '/crm/v3/objects/contacts/999');
    const { body } = await run.call('GET', '/_sim/stats?portal_id=1000001');
    expect(body).toMatchObject({
      calls: 3,
      records_written: { contacts: 2 },
      rejected_by_limit: 0,
      highest_concurrency: 1,
      calls_by_route: {
        'POST /crm/v3/objects/contacts/batch/upsert': { 200: 1 },
        'GET /crm/v3/objects/contacts/{id}': { 200: 1, 404: 1 },
      },
    });
  });

  it('shows records with their write log, associations and archived ones', async () => {
    await upsert(['a@x.co'], { city: 'Rome' });
    await upsert(['a@x.co'], { city: 'Oslo' });
    const company = await run.call('POST', '/crm/v3/objects/companies', { properties: { name: 'X' } });
    await run.call('PUT', `/crm/v4/objects/contacts/101/associations/default/companies/${company.body.id}`);
    const { body } = await run.call('GET', '/_sim/records?portal_id=1000001&object_type=contacts&property=email&value=a@x.co');
    expect(body).toMatchObject({
      total: 1,
      items: [
        {
          id: '101',
          object_type: 'contacts',
          archived: false,
          writes: 2,
          write_log: [
            { source: 'api', properties: { email: 'a@x.co', city: 'Rome' } },
            { source: 'api', properties: { city: 'Oslo' } },
          ],
          associations: [{ to_object_type: 'companies', to_id: company.body.id, types: [279] }],
        },
      ],
    });
    await run.call('DELETE', '/crm/v3/objects/contacts/101');
    expect((await run.call('GET', '/_sim/records?object_type=0-1')).body.items).toMatchObject([{ archived: true }]);
  });
});

describe('edits by a CRM user', () => {
  const edit = (body: Record<string, unknown>) =>
    run.call('POST', '/_sim/edits', { portal_id: 1000001, object_type: 'contacts', ...body });

  it('creates, updates with system properties, deletes and restores', async () => {
    const made = await edit({ action: 'create', properties: { email: 'a@x.co', hs_additional_emails: 'old@x.co' } });
    expect(made).toMatchObject({
      status: 200,
      body: { properties: { hs_additional_emails: 'old@x.co' }, write_log: [{ source: 'user' }] },
    });
    const byOld = await run.call('GET', '/crm/v3/objects/contacts/old%40x.co?idProperty=email&properties=email');
    expect(
      (await edit({ action: 'create', properties: { email: 'b@x.co', hs_additional_emails: 'a@x.co' } })).body.message,
    ).toContain(`${made.body.id} already has that value`);
    expect(byOld.body).toMatchObject({ id: made.body.id, properties: { email: 'a@x.co' } });
    const dated = await edit({ action: 'update', id: made.body.id, properties: { lastmodifieddate: '2030-01-01T00:00:00Z' } });
    expect(dated.body.updated_at).toBe('2030-01-01T00:00:00.000Z');
    expect((await edit({ action: 'delete', id: made.body.id })).body.archived).toBe(true);
    expect((await edit({ action: 'restore', id: made.body.id })).body.archived).toBe(false);
    expect((await run.call('GET', '/crm/v3/objects/contacts/a%40x.co?idProperty=email')).status).toBe(200);
  });

  it('merges and associates', async () => {
    const [a, b] = [
      (await edit({ action: 'create', properties: { email: 'a@x.co' } })).body,
      (await edit({ action: 'create', properties: { email: 'b@x.co' } })).body,
    ];
    const company = (await edit({ object_type: 'companies', action: 'create', properties: { name: 'X' } })).body;
    await edit({ action: 'associate', id: b.id, to_object_type: 'companies', to_id: company.id, types: [279] });
    const merged = await edit({ action: 'merge', id: a.id, merge_id: b.id });
    expect(merged.body).toMatchObject({
      id: a.id,
      properties: { hs_additional_emails: 'b@x.co' },
      associations: [{ to_object_type: 'companies', to_id: company.id, types: [279] }],
    });
    expect((await run.call('GET', `/crm/v3/objects/contacts/${b.id}`)).body.id).toBe(a.id);
  });
});
