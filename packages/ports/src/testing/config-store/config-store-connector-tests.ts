import { randomUUID } from 'node:crypto';
import type { ConfigStoreLab } from './config-store-lab';
import { aConnector, aKey, createFeed, everything, inAnHour, newConnector, newVersion, ok, signUp } from './config-store-lab';

/** Connectors: one revision per change, and the whole state in the feed with it. */
export function configConnectorTests(lab: () => ConfigStoreLab): void {
  const connectors = () => lab().store.connectors;
  const patch = { updatedById: null };

  it('creates a connector with its first key, and tells of it', async () => {
    const { organizationId } = await signUp(lab());
    const key = aKey({ expiresAt: inAnHour() });
    const { connector, apiKey } = ok(
      await connectors().create(newConnector(organizationId, { name: 'Shop A', mode: 'test', apiKey: key })),
    );
    expect(connector).toMatchObject({
      organizationId,
      name: 'Shop A',
      mode: 'test',
      status: 'active',
      credentialId: null,
      defaultStoreId: null,
      settings: {},
      activeVersion: null,
      binding: null,
    });
    expect(await connectors().get(organizationId, connector.id)).toEqual(connector);
    expect(await createFeed(lab()).of(connector.id)).toEqual([
      {
        v: 1,
        connector_id: connector.id,
        organization_id: organizationId,
        revision: 1,
        deleted: false,
        name: 'Shop A',
        status: 'active',
        default_store_id: null,
        organization: { tier: 'enterprise', state: 'active', per_record_ordering: false, limits: {} },
        ordering: 'record',
        ordering_epoch: 0,
        mappings_removed: 0,
        write_cap: null,
        width: 1,
        keys: [{ id: apiKey!.id, hash: key.hash, expires_at: key.expiresAt!.toISOString() }],
        active_version: null,
        plugins_revision: 0,
        flows: [],
        binding: null,
      },
    ]);
  });

  it('raises the revision by one with each change, and tells the whole state each time', async () => {
    const { id, organizationId } = await aConnector(lab());
    const updated = ok(
      await connectors().update(organizationId, id, {
        name: 'B',
        status: 'paused',
        defaultStoreId: 's1',
        settings: { ordering: 'connector', note: { b: 1, a: 2 } },
        ...patch,
      }),
    ).connector;
    expect(updated).toMatchObject({ name: 'B', status: 'paused', defaultStoreId: 's1' });
    expect(JSON.stringify(updated.settings)).toBe('{"ordering":"connector","note":{"b":1,"a":2}}');
    const [first, second] = [await connectors().createKey(id, aKey()), await connectors().createKey(id, aKey())];
    await connectors().revokeKey(id, first!.id);
    const flow = {
      name: 'a flow of the config',
      source: 'shop',
      source_type: 'event_api' as const,
      event_type: 'a',
      enabled: true,
    };
    ok(await lab().store.drafts.publish(newVersion(id, { flows: [flow] })));
    ok(await connectors().update(organizationId, id, { defaultStoreId: null, ...patch }));
    const changes = await createFeed(lab()).of(id);
    expect(changes.map(({ revision }) => revision)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(changes[1]).toMatchObject({ name: 'B', status: 'paused', default_store_id: 's1', ordering: 'connector', keys: [] });
    expect(changes.map(({ keys }) => keys.map((key) => key.id).sort())).toEqual([
      [],
      [],
      [first!.id],
      [first!.id, second!.id].sort(),
      [second!.id],
      [second!.id],
      [second!.id],
    ]);
    expect(changes.at(-1)).toMatchObject({ name: 'B', default_store_id: null, active_version: 1 });
    expect(JSON.stringify(changes)).not.toContain(flow.name);
  });

  it('counts the changes of what decides the lanes, of the connector and of its organization', async () => {
    const { id, organizationId } = await aConnector(lab());
    const settle = async (settings: Record<string, unknown>): Promise<string> =>
      ok(await connectors().update(organizationId, id, { settings, ...patch })).orderingBefore;
    const perRecord = (perRecordOrdering: boolean): Promise<unknown> =>
      lab().store.organizations.update(organizationId, { perRecordOrdering });
    for (const settings of [{ note: 1 }, { ordering: 'record' }, { ordering: 'connector' }]) {
      expect(await settle(settings)).toBe('record');
    }
    await perRecord(true);
    expect(await settle({ ordering: 'connector', note: 2 })).toBe('connector');
    expect(await settle({})).toBe('connector');
    await perRecord(true);
    await perRecord(false);
    const epochs = (await createFeed(lab()).of(id)).map(({ ordering_epoch }) => ordering_epoch);
    expect(epochs).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 3]);
  });

  it('creates a connector with its first draft', async () => {
    const draft = { config: { b: 1, a: [2] }, updatedBy: 'u' };
    const { id } = await aConnector(lab(), { draft });
    expect(await lab().other.drafts.get(id, { empty: true })).toEqual({
      ...draft, baseVersion: 0, draftVersion: 1, updatedAt: expect.any(Date),
    });
  });

  it('gives every one of many changes at once a revision of its own, told in order', async () => {
    const { id, organizationId } = await aConnector(lab());
    const work = Array.from({ length: 12 }, (_, index) => {
      const store = index % 2 === 0 ? lab().store : lab().other;
      if (index % 4 === 0) return store.connectors.createKey(id, aKey());
      return index === 6
        ? store.organizations.update(organizationId, { tier: 'pro' })
        : store.connectors.update(organizationId, id, { name: `n${index}`, ...patch });
    });
    await Promise.all(work);
    const changes = await createFeed(lab()).of(id);
    expect(changes.map(({ revision }) => revision)).toEqual(Array.from({ length: 13 }, (_, index) => index + 1));
    const now = await connectors().get(organizationId, id);
    expect(changes.at(-1)).toMatchObject({ name: now!.name, organization: { tier: 'pro' } });
    expect(changes.at(-1)!.keys).toHaveLength(3);
  });

  it('tells nothing of what did not happen', async () => {
    const { id, organizationId } = await aConnector(lab());
    const stranger = await signUp(lab());
    const key = aKey();
    await connectors().createKey(id, key);
    const { items } = await connectors().keys(id, everything);
    await connectors().revokeKey(id, items[0]!.id);
    const feed = createFeed(lab());
    await feed.of(id);
    expect(await connectors().update(stranger.organizationId, id, { name: 'Mine', ...patch })).toEqual({
      ok: false,
      reason: 'not_found',
    });
    expect(await connectors().delete(stranger.organizationId, id)).toBe(false);
    expect(await connectors().revokeKey(id, items[0]!.id)).toBe(true);
    expect(await connectors().revokeKey(id, randomUUID())).toBe(false);
    expect(await connectors().update(organizationId, id, { credentialId: randomUUID(), name: 'Half done', ...patch })).toEqual({
      ok: false,
      reason: 'bad_credential',
    });
    await expect(connectors().createKey(id, key)).rejects.toThrow();
    expect(await feed.of(id)).toEqual([]);
    expect((await connectors().get(organizationId, id))?.name).toBe('Shop');
  });

  it('keeps to the limit of connectors, also for two at once; deleted ones do not count', async () => {
    const { organizationId } = await signUp(lab());
    const limited = newConnector(organizationId, { connectorsLimit: 1 });
    const answers = await Promise.all([connectors().create(limited), lab().other.connectors.create(limited)]);
    expect(answers.filter((answer) => !answer.ok)).toEqual([{ ok: false, reason: 'limit_reached', usage: 1 }]);
    await connectors().delete(organizationId, answers.flatMap((answer) => (answer.ok ? [answer.connector.id] : []))[0]!);
    expect((await connectors().create(limited)).ok).toBe(true);
    expect(await connectors().create(newConnector(randomUUID()))).toEqual({ ok: false, reason: 'not_found' });
  });

  it('knows a deleted connector no more, and says so in the feed', async () => {
    const { organizationId } = await signUp(lab());
    const { id } = await aConnector(lab(), { organizationId, apiKey: aKey() });
    expect(await connectors().delete(organizationId, id)).toBe(true);
    expect(await createFeed(lab()).last(id)).toMatchObject({ revision: 2, deleted: true, keys: [] });
    expect(await connectors().get(organizationId, id)).toBeNull();
    expect((await connectors().list(organizationId, everything)).total).toBe(0);
    expect(await connectors().update(organizationId, id, { name: 'B', ...patch })).toEqual({ ok: false, reason: 'not_found' });
    expect(await connectors().createKey(id, aKey())).toBeNull();
    expect(await lab().store.drafts.publish(newVersion(id))).toEqual({ ok: false, reason: 'not_found' });
    expect(await connectors().delete(organizationId, id)).toBe(false);
  });

  it('revokes and deletes once when two ask at once', async () => {
    const { organizationId } = await signUp(lab());
    const { connector: { id }, apiKey } = ok(await connectors().create(newConnector(organizationId, { apiKey: aKey() })));
    expect(await Promise.all([connectors().revokeKey(id, apiKey!.id), lab().other.connectors.revokeKey(id, apiKey!.id)])).toEqual(
      [true, true],
    );
    const deleted = await Promise.all([
      connectors().delete(organizationId, id),
      lab().other.connectors.delete(organizationId, id),
    ]);
    expect(deleted.sort()).toEqual([false, true]);
    expect((await createFeed(lab()).of(id)).map(({ revision, keys, deleted: gone }) => [revision, keys.length, gone])).toEqual([
      [1, 1, false],
      [2, 0, false],
      [3, 0, true],
    ]);
  });

  it('lists an organization\'s connectors page by page; names may repeat', async () => {
    const { organizationId } = await signUp(lab());
    const made = [
      await aConnector(lab(), { organizationId }),
      await aConnector(lab(), { organizationId }),
      await aConnector(lab(), { organizationId }),
    ];
    await aConnector(lab());
    const pages = [
      await connectors().list(organizationId, { limit: 2, offset: 0 }),
      await connectors().list(organizationId, { limit: 2, offset: 2 }),
    ];
    expect(pages.map(({ items, total }) => [items.length, total])).toEqual([[2, 3], [1, 3]]);
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id)).sort()).toEqual(made.map(({ id }) => id).sort());
  });

  it.each(['no-uuid', randomUUID()])('takes the id %s for simply unknown', async (id) => {
    const { organizationId } = await signUp(lab());
    const { accounts, organizations, credentials, drafts } = lab().store;
    const empty = { items: [], total: 0 };
    expect(
      await Promise.all([
        accounts.sessionActor(id),
        accounts.endSessionById(id),
        organizations.get(id),
        organizations.update(id, { tier: 'free' }),
      ]),
    ).toEqual([null, false, null, null]);
    expect(
      await Promise.all([
        organizations.keys(id, everything),
        organizations.revokeKey(organizationId, id),
        organizations.revokeKey(id, id),
      ]),
    ).toEqual([empty, false, false]);
    expect(await organizations.usage(id)).toEqual({ connectors: 0, eventSources: 0, seats: 0, portals: 0 });
    expect(
      await Promise.all([
        connectors().list(id, everything),
        connectors().get(organizationId, id),
        connectors().get(id, id),
        connectors().delete(organizationId, id),
      ]),
    ).toEqual([empty, null, null, false]);
    expect(
      await Promise.all([connectors().keys(id, everything), connectors().createKey(id, aKey()), connectors().revokeKey(id, id)]),
    ).toEqual([empty, null, false]);
    expect(
      await Promise.all([
        credentials.list(id, everything),
        credentials.names(id),
        credentials.get(organizationId, id),
        credentials.delete(organizationId, id),
      ]),
    ).toEqual([empty, [], null, false]);
    expect(
      await Promise.all([
        drafts.get(id, {}),
        drafts.save(id, { config: {}, updatedBy: 'x' }),
        drafts.versions(id, everything),
        drafts.version(id, 1),
        drafts.version(id, 'active'),
        drafts.sourceNames(id),
      ]),
    ).toEqual([null, null, empty, null, null, []]);
    const notFound = { ok: false, reason: 'not_found' };
    expect(
      await Promise.all([
        connectors().create(newConnector(id)),
        connectors().update(organizationId, id, patch),
        drafts.publish(newVersion(id)),
        credentials.rotate(organizationId, id, { sealed: 's', updatedById: null }),
        credentials.rotate(id, id, { sealed: 's', updatedById: null }),
      ]),
    ).toEqual(Array.from({ length: 5 }, () => notFound));
    expect(await connectors().create(newConnector(organizationId, { credentialId: id }))).toEqual({
      ok: false,
      reason: 'bad_credential',
    });
  });
}
