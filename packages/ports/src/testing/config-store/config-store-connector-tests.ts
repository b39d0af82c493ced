import { randomUUID } from 'node:crypto';
import { maxKeysInChange } from '@sluice/contracts';
import type { ConfigStoreLab } from './config-store-lab';
import {
  aConnector,
  aKey,
  anHourAgo,
  createFeed,
  everything,
  inAnHour,
  newConnector,
  newVersion,
  ok,
  signUp,
} from './config-store-lab';

/** Connectors and their keys: one revision per change, and the whole state in the feed with it. */
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

  describe('the width', () => {
    const raise = (id: string, width: number, leadMs = 0) => connectors().raiseWidth(id, width, leadMs);
    const told = async (id: string) => {
      const { ordering_epoch: epoch, width, width_raise: raised } = (await createFeed(lab()).of(id)).at(-1)!;
      return { epoch, width, before: raised?.before };
    };

    it('is raised from a moment ahead on, with a new ordering epoch', async () => {
      const { id } = await aConnector(lab());
      const asked = Date.now();
      const raised = await raise(id, 4, 60_000);
      expect(raised).toMatchObject({ ok: true, width: { width: 4, before: 1 } });
      const ahead = raised.ok ? raised.width.from!.getTime() - asked : 0;
      expect([ahead > 30_000, ahead < 120_000]).toEqual([true, true]);
      expect(await told(id)).toEqual({ epoch: 1, width: 4, before: 1 });
    });

    it('the same width again changes nothing', async () => {
      const { id } = await aConnector(lab());
      expect(await raise(id, 1)).toEqual({ ok: true, width: { width: 1, before: 1, from: null } });
      const raised = await raise(id, 3, 60_000);
      expect(await raise(id, 3)).toEqual(raised);
      expect(await createFeed(lab()).of(id)).toHaveLength(2);
    });

    it('is never lowered, and raised again only after the raise before has begun', async () => {
      const { id } = await aConnector(lab());
      await raise(id, 4, 60_000);
      expect(await raise(id, 2)).toMatchObject({ ok: false, reason: 'narrower', width: { width: 4 } });
      expect(await raise(id, 5)).toMatchObject({ ok: false, reason: 'pending', width: { width: 4 } });
      const { id: other } = await aConnector(lab());
      await raise(other, 2, -1_000);
      expect(await raise(other, 8, -1_000)).toMatchObject({ ok: true, width: { width: 8, before: 2 } });
      expect(await told(other)).toEqual({ epoch: 2, width: 8, before: 2 });
    });

    it('belongs to a connector that exists', async () => {
      const { id, organizationId } = await aConnector(lab());
      await connectors().delete(organizationId, id);
      for (const unknown of [id, randomUUID(), 'x']) expect(await raise(unknown, 2)).toEqual({ ok: false, reason: 'not_found' });
    });
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

  it('tells of a bounded number of usable keys, the newest', async () => {
    const { id } = await aConnector(lab());
    const expired = aKey({ expiresAt: anHourAgo() });
    await connectors().createKey(id, expired);
    const oldest = await connectors().createKey(id, aKey());
    for (let count = 0; count < maxKeysInChange; count += 1) await connectors().createKey(id, aKey());
    const changes = await createFeed(lab()).of(id);
    expect(changes.slice(1, 4).map(({ keys }) => keys.length)).toEqual([0, 1, 2]);
    expect(changes.at(-1)!.keys).toHaveLength(maxKeysInChange);
    expect(changes.at(-1)!.keys.map((key) => key.id)).not.toContain(oldest!.id);
  });

  it('creates a connector with its first draft', async () => {
    const draft = { config: { b: 1, a: [2] }, updatedBy: 'u' };
    const { id } = await aConnector(lab(), { draft });
    expect(await lab().other.drafts.get(id, { empty: true })).toEqual({
      ...draft, baseVersion: 0, draftVersion: 1, updatedAt: expect.any(Date),
    });
  });

  it('makes no more usable keys than allowed, a first one included; expired and revoked ones do not count', async () => {
    const { id, organizationId } = await aConnector(lab());
    const limited = (over = {}) => ({ ...aKey(over), keysLimit: 2 });
    await connectors().createKey(id, limited({ expiresAt: anHourAgo() }));
    const made = await Promise.allSettled([1, 2, 3, 4].map(() => connectors().createKey(id, limited())));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await expect(connectors().createKey(id, limited())).rejects.toMatchObject({ name: 'KeyLimitReached', usage: 2 });
    await createFeed(lab()).of(id);
    const { items } = await connectors().keys(id, everything);
    await connectors().revokeKey(id, items.find(({ expiresAt }) => expiresAt === null)!.id);
    expect(await connectors().createKey(id, limited())).not.toBeNull();

    const before = (await connectors().list(organizationId, everything)).total;
    const withKey = (keysLimit: number) =>
      connectors().create(newConnector(organizationId, { apiKey: { ...aKey(), keysLimit } }));
    await expect(withKey(0)).rejects.toMatchObject({ name: 'KeyLimitReached', usage: 0 });
    expect((await connectors().list(organizationId, everything)).total).toBe(before);
    expect(ok(await withKey(1)).apiKey).not.toBeNull();

    const organizations = lab().store.organizations;
    const ofOrganization = await Promise.allSettled([1, 2, 3, 4].map(() => organizations.createKey(organizationId, limited())));
    expect(ofOrganization.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await expect(organizations.createKey(organizationId, limited())).rejects.toMatchObject({ name: 'KeyLimitReached', usage: 2 });
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

  it('revokes a connector\'s own keys alone: another\'s, of the same organization or not, stay', async () => {
    const mine = await aConnector(lab());
    const others = [await aConnector(lab(), { organizationId: mine.organizationId }), await aConnector(lab())];
    for (const other of others) {
      const key = aKey();
      const { id } = (await connectors().createKey(other.id, key))!;
      const feed = createFeed(lab());
      await feed.of(other.id);
      expect(await connectors().revokeKey(mine.id, id)).toBe(false);
      expect(await feed.of(other.id)).toEqual([]);
      expect((await connectors().keys(other.id, everything)).items).toMatchObject([{ id, revokedAt: null }]);
      expect(await connectors().revokeKey(other.id, id)).toBe(true);
    }
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

  it('lists keys with the revoked ones, without hashes', async () => {
    const { id } = await aConnector(lab());
    const [one, two] = [
      await connectors().createKey(id, aKey({ label: 'one' })),
      await connectors().createKey(id, aKey({ label: 'two' })),
    ];
    await connectors().revokeKey(id, one!.id);
    const { items, total } = await connectors().keys(id, everything);
    expect(total).toBe(2);
    expect(items.find((key) => key.id === one!.id)).toEqual({ ...one, revokedAt: expect.any(Date) });
    expect(items.find((key) => key.id === two!.id)).toEqual(two);
  });

  it('notes when keys were last used, never backwards, without a word in the feed', async () => {
    const { id } = await aConnector(lab());
    const keys = [aKey({ label: 'one' }), aKey({ label: 'two' })];
    for (const key of keys) await connectors().createKey(id, key);
    const feed = createFeed(lab());
    await feed.of(id);
    const [early, late] = [new Date('2026-01-01T00:00:00.000Z'), new Date('2026-01-02T00:00:00.000Z')];
    await connectors().noteKeyUse([{ hash: keys[0]!.hash, at: late }, { hash: 'unknown', at: late }]);
    await Promise.all(
      [lab().store, lab().other].map((store) =>
        store.connectors.noteKeyUse([
          { hash: keys[0]!.hash, at: early },
          { hash: keys[1]!.hash, at: early },
        ]),
      ),
    );
    await connectors().noteKeyUse([]);
    const { items } = await connectors().keys(id, everything);
    expect(Object.fromEntries(items.map(({ label, lastUsedAt }) => [label, lastUsedAt]))).toEqual({ one: late, two: early });
    expect(await feed.of(id)).toEqual([]);
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
