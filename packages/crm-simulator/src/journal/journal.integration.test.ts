import { startForTest, type RunningSimulator } from '../testing/start-for-test';

let now = Date.UTC(2026, 0, 1);
let run: RunningSimulator;
let token: string;
beforeAll(async () => {
  run = await startForTest({ now: () => now });
});
beforeEach(async () => {
  await run.call('POST', '/_sim/reset');
  const scope = ['read', 'subscriptions.read', 'subscriptions.write', 'snapshots.read', 'snapshots.write']
    .map((one) => `developer.webhooks_journal.${one}`)
    .join(' ');
  token = (
    await run.call(
      'POST',
      '/oauth/2026-09/token',
      new URLSearchParams({ grant_type: 'client_credentials', client_id: 'c', client_secret: 's', scope }),
    )
  ).body.access_token;
});
afterAll(() => run.simulator.stop());

const app = (method: string, path: string, body?: unknown) => run.call(method, path, body, token);
const journal = '/webhooks-journal/journal/2026-09';
const subscriptions = '/webhooks-journal/subscriptions/2026-09';
const subscribe = (more: Record<string, unknown> = {}) =>
  app('POST', subscriptions, {
    subscriptionType: 'OBJECT',
    objectTypeId: '0-1',
    portalId: 1000001,
    actions: ['CREATE', 'UPDATE', 'DELETE', 'MERGE', 'RESTORE'],
    properties: ['email', 'city'],
    ...more,
  });
const edit = (body: Record<string, unknown>) =>
  run.call('POST', '/_sim/edits', { portal_id: 1000001, object_type: 'contacts', ...body });
const download = async (url: string) => (await fetch(url)).json() as Promise<any>;

describe('the change journal', () => {
  it('tells nothing without a subscription, and needs the app\'s token and scope', async () => {
    await edit({ action: 'create', properties: { email: 'a@x.co' } });
    expect((await app('GET', `${journal}/earliest`)).status).toBe(204);
    expect((await run.call('GET', `${journal}/earliest`, undefined, 'x')).status).toBe(401);
    const weak = await run.call(
      'POST',
      '/oauth/v3/token',
      new URLSearchParams({ grant_type: 'client_credentials', client_id: 'c', client_secret: 's', scope: 'oauth' }),
    );
    expect((await run.call('GET', `${journal}/earliest`, undefined, weak.body.access_token)).body.category).toBe(
      'MISSING_SCOPES',
    );
  });

  it('tells of writes and edits, only subscribed properties, in order, by offset', async () => {
    expect((await subscribe()).body).toMatchObject({
      id: expect.any(Number),
      subscriptionType: 'OBJECT',
      objectTypeId: '0-1',
      portalId: 1000001,
    });
    const made = await edit({ action: 'create', properties: { email: 'a@x.co', phone: '1' } });
    const first = await app('GET', `${journal}/earliest`);
    expect(first.body).toMatchObject({ url: expect.any(String), currentOffset: expect.any(String) });
    const file = await download(first.body.url);
    expect(file).toMatchObject({
      offset: first.body.currentOffset,
      journalEvents: [
        {
          action: 'CREATE',
          portalId: 1000001,
          objectTypeId: '0-1',
          objectId: Number(made.body.id),
          propertyChanges: { email: 'a@x.co', city: null },
        },
      ],
    });
    expect((await app('GET', `${journal}/offset/${first.body.currentOffset}/next`)).status).toBe(204);
    await run.call('PATCH', `/crm/v3/objects/contacts/${made.body.id}`, { properties: { phone: '2' } });
    await run.call('PATCH', `/crm/v3/objects/contacts/${made.body.id}`, { properties: { city: 'Rome' } });
    await edit({ action: 'update', id: made.body.id, properties: { city: '' } });
    await edit({ action: 'delete', id: made.body.id });
    await edit({ action: 'restore', id: made.body.id });
    const next = await app('GET', `${journal}/offset/${first.body.currentOffset}/next`);
    const events = (await download(next.body.url)).journalEvents;
    expect(events.map((event: any) => [event.action, event.propertyChanges])).toEqual([
      ['UPDATE', { city: 'Rome' }],
      ['UPDATE', { city: null }],
      ['DELETE', {}],
      ['RESTORE', {}],
    ]);
    expect((await app('GET', `${journal}/latest`)).body.currentOffset).toBe(next.body.currentOffset);
    expect((await app('GET', '/webhooks/v4/journal/latest')).status).toBe(200);
  });

  it('gives batches, and 404 for offsets it does not know or has let go', async () => {
    await subscribe();
    const offsets: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      await edit({ action: 'create', properties: { email: `${name}@x.co` } });
      offsets.push((await app('GET', `${journal}/latest`)).body.currentOffset);
    }
    expect((await app('GET', `${journal}/batch/earliest/2`)).body.results.map((one: any) => one.currentOffset)).toEqual(
      offsets.slice(0, 2),
    );
    expect((await app('GET', `${journal}/batch/latest/2`)).body.results.map((one: any) => one.currentOffset)).toEqual(
      offsets.slice(1),
    );
    expect(
      (await app('GET', `${journal}/batch/${offsets[0]}/next/100`)).body.results.map((one: any) => one.currentOffset),
    ).toEqual(offsets.slice(1));
    const read = (inputs: unknown) => app('POST', `${journal}/batch/read`, { inputs });
    const all = await read(offsets.slice(1));
    expect(all).toMatchObject({
      status: 200,
      body: {
        status: 'COMPLETE',
        results: offsets
          .slice(1)
          .map((currentOffset) => ({ currentOffset, url: expect.any(String), expiresAt: expect.any(String) })),
      },
    });
    expect((await download(all.body.results[0].url)).journalEvents).toMatchObject([{ propertyChanges: { email: 'b@x.co' } }]);
    const some = await read([offsets[0], 'nope']);
    expect(some).toMatchObject({
      status: 207,
      body: {
        results: [{ currentOffset: offsets[0] }],
        numErrors: 1,
        errors: [{ category: 'OBJECT_NOT_FOUND', context: { offset: ['nope'] } }],
      },
    });
    for (const inputs of [[], [{ offset: offsets[0] }], [1], undefined, 'x', Array.from({ length: 101 }, () => offsets[0])])
      expect((await read(inputs)).status).toBe(400);
    expect((await app('GET', `${journal}/batch/earliest/101`)).status).toBe(400);
    expect((await app('GET', `${journal}/offset/nope/next`)).status).toBe(404);
    now += 4 * 86_400_000;
    const renewed = await run.call(
      'POST',
      '/oauth/v3/token',
      new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'c',
        client_secret: 's',
        scope: 'developer.webhooks_journal.read',
      }),
    );
    expect((await run.call('GET', `${journal}/offset/${offsets[0]}/next`, undefined, renewed.body.access_token)).status).toBe(
      404,
    );
  });

  it('lets download links expire and refuses forged ones', async () => {
    await subscribe();
    await edit({ action: 'create', properties: { email: 'a@x.co' } });
    const { url } = (await app('GET', `${journal}/earliest`)).body;
    expect((await fetch(url.replace(/signature=./, 'signature=z'))).status).toBe(403);
    now += 6 * 60_000;
    expect((await fetch(url)).status).toBe(403);
  });

  it('tells of associations, merges and installs', async () => {
    await subscribe({
      subscriptionType: 'ASSOCIATION',
      actions: ['ASSOCIATION_ADDED', 'ASSOCIATION_REMOVED'],
      associatedObjectTypeIds: ['0-2'],
    });
    await subscribe({ properties: [] });
    await app('POST', subscriptions, { subscriptionType: 'APP_LIFECYCLE_EVENT', eventTypeId: '4-1909196', properties: [] });
    const [a, b] = [
      (await edit({ action: 'create', properties: { email: 'a@x.co' } })).body,
      (await edit({ action: 'create', properties: { email: 'b@x.co' } })).body,
    ];
    const company = (await edit({ object_type: 'companies', action: 'create', properties: { name: 'X' } })).body;
    await edit({ action: 'associate', id: a.id, to_object_type: 'companies', to_id: company.id });
    await edit({ action: 'merge', id: a.id, merge_id: b.id });
    await run.call('POST', '/_sim/portals', { portal_id: 9 });
    const events = (await download((await app('GET', `${journal}/earliest`)).body.url)).journalEvents;
    expect(events.map((event: any) => event.action)).toEqual(['CREATE', 'CREATE', 'ASSOCIATION_ADDED', 'MERGE', 'APP_INSTALL']);
    expect(events[2]).toMatchObject({
      fromObjectTypeId: '0-1',
      fromObjectId: Number(a.id),
      toObjectTypeId: '0-2',
      toObjectId: Number(company.id),
      associationTypeId: 279,
      isPrimary: false,
    });
    expect(events[3]).toMatchObject({ objectId: Number(a.id), mergedObjectIds: [Number(b.id)] });
    const other = await app('GET', `${journal}/earliest?installPortalId=9`);
    expect((await download(other.body.url)).journalEvents.map((event: any) => event.action)).toEqual(['APP_INSTALL']);
  });

  it('tells nothing of an association that is set again as it was', async () => {
    await subscribe({
      subscriptionType: 'ASSOCIATION',
      actions: ['ASSOCIATION_ADDED', 'ASSOCIATION_REMOVED'],
      associatedObjectTypeIds: ['0-2'],
    });
    const contact = (await edit({ action: 'create', properties: { email: 'a@x.co' } })).body;
    const company = (await edit({ object_type: 'companies', action: 'create', properties: { name: 'X' } })).body;
    const set = () =>
      run.call('PUT', `/crm/v4/objects/contacts/${contact.id}/associations/companies/${company.id}`, [
        { associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 279 },
      ]);
    await set();
    const { currentOffset } = (await app('GET', `${journal}/latest`)).body;
    await set();
    expect((await app('GET', `${journal}/offset/${currentOffset}/next`)).status).toBe(204);
  });

  it('keeps, filters and drops subscriptions', async () => {
    const one = (await subscribe()).body;
    expect((await subscribe({ properties: ['email'] })).body.id).toBe(one.id);
    const filter = await app('POST', `${subscriptions}/filters`, {
      subscriptionId: one.id,
      filter: { conditions: [{ filterType: 'CRM_OBJECT_PROPERTY', property: 'city', operator: 'EQ', value: 'Rome' }] },
    });
    expect((await app('GET', `${subscriptions}/filters/subscription/${one.id}`)).body).toMatchObject([
      { id: filter.body.filterId },
    ]);
    await edit({ action: 'create', properties: { email: 'a@x.co', city: 'Oslo' } });
    expect((await app('GET', `${journal}/earliest`)).status).toBe(204);
    await edit({ action: 'create', properties: { email: 'b@x.co', city: 'Rome' } });
    expect((await app('GET', `${journal}/earliest`)).status).toBe(200);
    expect((await app('GET', subscriptions)).body.results).toHaveLength(1);
    expect((await app('GET', `${subscriptions}/${one.id}`)).body.properties).toEqual(['email']);
    expect((await app('DELETE', `${subscriptions}/portals/1000001`)).status).toBe(204);
    expect((await app('GET', `${subscriptions}/${one.id}`)).status).toBe(404);
    expect(
      (await app('POST', subscriptions, { subscriptionType: 'OBJECT', portalId: 5, objectTypeId: '0-1', actions: ['CREATE'] }))
        .status,
    ).toBe(400);
  });

  it('takes snapshots through the journal', async () => {
    const made = (await edit({ action: 'create', properties: { email: 'a@x.co' } })).body;
    const asked = await app('POST', '/webhooks-journal/snapshots/2026-09/crm', {
      snapshotRequests: [{ portalId: 1000001, objectId: made.id, objectTypeId: '0-1', properties: ['email', 'city'] }],
    });
    expect((await app('GET', `${journal}/status/${asked.body.snapshotResponses[0].snapshotStatusId}`)).body.status).toBe(
      'SUCCESS',
    );
    const events = (await download((await app('GET', `${journal}/latest`)).body.url)).journalEvents;
    expect(events).toMatchObject([{ action: 'SNAPSHOT', propertyChanges: { email: 'a@x.co', city: null } }]);
  });

  it('lets entries expire when it is told to, by time or by offset', async () => {
    await subscribe();
    const offsets: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      await edit({ action: 'create', properties: { email: `${name}@x.co` } });
      offsets.push((await app('GET', `${journal}/latest`)).body.currentOffset);
    }
    const expire = (before: unknown) => run.call('POST', '/_sim/journal/expire', { before });
    expect((await expire(offsets[1])).body).toEqual({ expired: 1 });
    expect((await app('GET', `${journal}/offset/${offsets[0]}/next`)).status).toBe(404);
    expect((await app('GET', `${journal}/earliest`)).body.currentOffset).toBe(offsets[1]);
    expect((await expire(new Date(Date.now() + 60_000).toISOString())).body).toEqual({ expired: 2 });
    expect((await app('GET', `${journal}/earliest`)).status).toBe(204);
    expect((await app('GET', `${journal}/offset/${offsets[2]}/next`)).status).toBe(404);
    expect((await expire('yesterday')).status).toBe(400);
  });
});
