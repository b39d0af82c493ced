import type { ConfigStoreLab } from './config-store-lab';
import { aConnector, createFeed, everything, newVersion, ok, signUp } from './config-store-lab';

/** Drafts, and the versions published from them. */
export function configDraftTests(lab: () => ConfigStoreLab): void {
  const drafts = () => lab().store.drafts;
  const source = (name: string, type: 'event_api' | 'webhook' = 'event_api') => ({ name, type, sealed: null });

  it('creates an empty draft with the first read, once; what was written comes back in its order', async () => {
    const { id } = await aConnector(lab());
    const [one, two] = await Promise.all([
      drafts().get(id, { b: 1, a: [{ z: 1, y: null }] }),
      lab().other.drafts.get(id, { b: 1, a: [{ z: 1, y: null }] }),
    ]);
    expect(one).toEqual({
      config: { b: 1, a: [{ z: 1, y: null }] },
      baseVersion: 0,
      draftVersion: 1,
      updatedAt: expect.any(Date),
      updatedBy: null,
    });
    expect(two).toEqual(one);
    expect(JSON.stringify((await drafts().get(id, { other: true }))?.config)).toBe('{"b":1,"a":[{"z":1,"y":null}]}');
  });

  it('saves a draft that was read before, and counts', async () => {
    const { id } = await aConnector(lab());
    expect(await drafts().save(id, { config: { n: 1 }, updatedBy: 'ann' })).toBeNull();
    await drafts().get(id, {});
    expect(await drafts().save(id, { config: { n: 1 }, updatedBy: 'ann' })).toMatchObject({
      ok: true,
      draft: { config: { n: 1 }, baseVersion: 0, draftVersion: 2, updatedBy: 'ann' },
    });
    expect(await drafts().save(id, { config: { n: 2 }, baseVersion: 3, updatedBy: 'bob' })).toMatchObject({
      ok: true,
      draft: { config: { n: 2 }, baseVersion: 3, draftVersion: 3, updatedBy: 'bob' },
    });
  });

  it('lets one of two win who save over the same draft', async () => {
    const { id } = await aConnector(lab());
    await drafts().get(id, {});
    const save = (store: ConfigStoreLab['store'], updatedBy: string) =>
      store.drafts.save(id, { config: { updatedBy }, expectedVersion: 1, updatedBy });
    const answers = await Promise.all([save(lab().store, 'ann'), save(lab().other, 'bob')]);
    expect(answers.filter((answer) => !answer!.ok)).toEqual([{ ok: false, draftVersion: 2 }]);
    const winner = answers.flatMap((answer) => (answer?.ok ? [answer.draft] : []));
    expect(await drafts().get(id, {})).toEqual(winner[0]);
    expect(await save(lab().store, 'cid')).toEqual({ ok: false, draftVersion: 2 });
  });

  it('publishes on the version the draft started from: it becomes the active one and the draft\'s base', async () => {
    const { id, organizationId } = await aConnector(lab());
    await drafts().get(id, {});
    const answer = ok(await drafts().publish(newVersion(id, { config: { n: 1 }, changeSummary: 'first', publishedBy: 'ann' })));
    expect(answer).toEqual({
      ok: true,
      createdSources: [],
      version: { version: 1, isActive: true, publishedAt: expect.any(Date), publishedBy: 'ann', changeSummary: 'first' },
    });
    expect(await drafts().publish(newVersion(id))).toEqual({
      ok: false,
      reason: 'stale_base_version',
      baseVersion: 0,
      activeVersion: 1,
    });
    expect(await drafts().publish(newVersion(id, { baseVersion: 2 }))).toEqual({
      ok: false,
      reason: 'stale_base_version',
      baseVersion: 2,
      activeVersion: 1,
    });
    expect(await drafts().get(id, {})).toMatchObject({ baseVersion: 1, draftVersion: 1 });
    expect((await lab().store.connectors.get(organizationId, id))?.activeVersion).toBe(1);
    expect(await createFeed(lab()).of(id)).toMatchObject([
      { revision: 1, active_version: null },
      { revision: 2, active_version: 1 },
    ]);
  });

  it('has one winner of many publishes at once', async () => {
    const { id } = await aConnector(lab());
    const publish = (index: number) =>
      (index % 2 === 0 ? lab().store : lab().other).drafts.publish(newVersion(id, { config: { index } }));
    const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => publish(index)));
    const winner = answers.findIndex((answer) => answer.ok);
    expect(answers.filter((answer) => !answer.ok)).toEqual(
      Array.from({ length: 5 }, () => ({ ok: false, reason: 'stale_base_version', baseVersion: 0, activeVersion: 1 })),
    );
    expect((await drafts().version(id, 'active'))?.config).toEqual({ index: winner });
    expect((await drafts().versions(id, everything)).total).toBe(1);
    expect((await createFeed(lab()).of(id)).map(({ active_version }) => active_version)).toEqual([null, 1]);
  });

  it('never changes a version again', async () => {
    const { id } = await aConnector(lab());
    await drafts().get(id, {});
    const config = { flows: [{ name: 'one' }] };
    ok(await drafts().publish(newVersion(id, { config, changeSummary: 'first' })));
    const first = await drafts().version(id, 1);
    config.flows[0]!.name = 'changed by the caller';
    (first!.config as typeof config).flows.length = 0;
    await drafts().save(id, { config: { flows: [] }, updatedBy: 'ann' });
    ok(await drafts().publish(newVersion(id, { config: { flows: [{ name: 'two' }] }, baseVersion: 1 })));
    expect(await drafts().version(id, 1)).toMatchObject({
      version: 1,
      isActive: false,
      changeSummary: 'first',
      config: { flows: [{ name: 'one' }] },
    });
    expect(await drafts().version(id, 'active')).toMatchObject({
      version: 2,
      isActive: true,
      config: { flows: [{ name: 'two' }] },
    });
    expect(await drafts().version(id, 3)).toBeNull();
    const { items, total } = await drafts().versions(id, { limit: 1, offset: 0 });
    expect([items.map(({ version, isActive }) => [version, isActive]), total]).toEqual([[[2, true]], 2]);
    expect((await drafts().versions(id, { limit: 1, offset: 1 })).items).toMatchObject([{ version: 1, isActive: false }]);
    expect(items[0]).not.toHaveProperty('config');
  });

  it('brings sources to life with the version that names them, and ends those it no longer names', async () => {
    const { id } = await aConnector(lab());
    expect(
      ok(await drafts().publish(newVersion(id, { sources: [source('shop'), source('erp', 'webhook')] }))).createdSources.sort(),
    ).toEqual(['erp', 'shop']);
    expect(
      ok(await drafts().publish(newVersion(id, { baseVersion: 1, sources: [source('shop', 'webhook'), source('new')] })))
        .createdSources,
    ).toEqual(['shop', 'new']);
    expect((await drafts().sourceNames(id)).sort()).toEqual(['new', 'shop']);
  });

  it('keeps to the organization\'s limit of sources when they would become more', async () => {
    const { organizationId } = await signUp(lab());
    const [one, two] = [await aConnector(lab(), { organizationId }), await aConnector(lab(), { organizationId })];
    ok(await drafts().publish(newVersion(one.id, { sources: [source('a'), source('b')], eventSourcesLimit: 2 })));
    expect(await drafts().publish(newVersion(two.id, { sources: [source('c')], eventSourcesLimit: 2 }))).toEqual({
      ok: false,
      reason: 'limit_reached',
      usage: 2,
    });
    expect(await lab().store.connectors.get(organizationId, two.id)).toMatchObject({ activeVersion: null });
    ok(await drafts().publish(newVersion(one.id, { baseVersion: 1, sources: [source('a'), source('d')], eventSourcesLimit: 1 })));
    ok(await drafts().publish(newVersion(one.id, { baseVersion: 2, sources: [source('a')], eventSourcesLimit: 0 })));
    ok(await drafts().publish(newVersion(two.id, { sources: [source('c')], eventSourcesLimit: 2 })));
  });

  it('gives the last place for a source to one of two connectors that publish at once', async () => {
    const { organizationId } = await signUp(lab());
    const [one, two] = [await aConnector(lab(), { organizationId }), await aConnector(lab(), { organizationId })];
    const publish = (store: ConfigStoreLab['store'], id: string) =>
      store.drafts.publish(newVersion(id, { sources: [source('s')], eventSourcesLimit: 1 }));
    const answers = await Promise.all([publish(lab().store, one.id), publish(lab().other, two.id)]);
    expect(answers.filter((answer) => !answer.ok)).toEqual([{ ok: false, reason: 'limit_reached', usage: 1 }]);
    expect((await lab().store.organizations.usage(organizationId)).eventSources).toBe(1);
  });
}
