import { aConnector, type ConfigStoreLab, createFeed, newVersion, ok } from './config-store-lab';

/** States of sources. */
export function configSourceTests(lab: () => ConfigStoreLab): void {
  const sources = () => lab().store.sources;
  const publish = (id: string, baseVersion: number, ...named: ['event_api' | 'webhook' | 'poller', string][]) =>
    lab().store.drafts.publish(
      newVersion(id, { baseVersion, sources: named.map(([type, name]) => ({ name, type, sealed: `sealed ${name}` })) }),
    );
  const unread = { cursor: null, lastEventAt: null, lastPollAt: null, lastError: null };

  it('begin with the publish that names the source, and end with the one that no longer does', async () => {
    const { id } = await aConnector(lab());
    expect(await sources().list(id)).toEqual([]);
    ok(await publish(id, 0, ['webhook', 'hook'], ['event_api', 'api']));
    expect(await sources().list(id)).toEqual([
      { name: 'api', type: 'event_api', enabled: true, sealed: 'sealed api', rotatedAt: null, ...unread },
      { name: 'hook', type: 'webhook', enabled: true, sealed: 'sealed hook', rotatedAt: null, ...unread },
    ]);
    ok(await publish(id, 1, ['event_api', 'api']));
    expect((await sources().list(id)).map(({ name }) => name)).toEqual(['api']);
  });

  it('are switched and rotated for good: a publish leaves them so', async () => {
    const { id } = await aConnector(lab());
    ok(await publish(id, 0, ['webhook', 'hook'], ['event_api', 'api']));
    expect(await sources().setEnabled(id, 'hook', false)).toMatchObject({ name: 'hook', enabled: false, sealed: 'sealed hook' });
    const rotated = ok(await sources().rotate(id, 'hook', 'newer'));
    expect(rotated.source).toMatchObject({ enabled: false, sealed: 'newer', rotatedAt: expect.any(Date) });
    expect(ok(await publish(id, 1, ['webhook', 'hook'], ['event_api', 'api'])).createdSources).toEqual([]);
    expect((await sources().list(id))[1]).toEqual(rotated.source);
    ok(await publish(id, 2, ['event_api', 'api']));
    ok(await publish(id, 3, ['webhook', 'hook'], ['event_api', 'api']));
    expect((await sources().list(id))[1]).toMatchObject({ enabled: true, sealed: 'sealed hook', rotatedAt: null });
  });

  it('under another type are other sources, which begin anew and count once', async () => {
    const { id } = await aConnector(lab());
    ok(await publish(id, 0, ['poller', 'shop']));
    await sources().setEnabled(id, 'shop', false);
    await sources().note([{ connectorId: id, name: 'shop', lastPollAt: new Date(), lastError: 'away' }]);
    const next = newVersion(id, {
      baseVersion: 1, eventSourcesLimit: 1, sources: [{ name: 'shop', type: 'webhook', sealed: 'sealed shop' }],
    });
    expect(ok(await lab().store.drafts.publish(next)).createdSources).toEqual(['shop']);
    expect(await sources().list(id)).toEqual([
      { name: 'shop', type: 'webhook', enabled: true, sealed: 'sealed shop', rotatedAt: null, ...unread },
    ]);
  });

  it('tell whoever follows the connector', async () => {
    const { id } = await aConnector(lab());
    ok(await publish(id, 0, ['webhook', 'hook']));
    const feed = createFeed(lab());
    const { revision } = await feed.last(id);
    await sources().setEnabled(id, 'hook', false);
    expect((await feed.last(id)).revision).toBe(revision + 1);
    ok(await sources().rotate(id, 'hook', 'newer'));
    expect((await feed.last(id)).revision).toBe(revision + 2);
  });

  it('are noted with what the source did last: times never go back, what is not named stays, nobody is told', async () => {
    const { id } = await aConnector(lab());
    ok(await publish(id, 0, ['webhook', 'hook'], ['webhook', 'other']));
    const feed = createFeed(lab());
    await feed.last(id);
    const [early, late] = [new Date('2026-03-02T10:00:00Z'), new Date('2026-03-02T11:00:00Z')];
    const stateOf = async (name: string) => (await sources().list(id)).find((source) => source.name === name);
    await sources().note([{ connectorId: id, name: 'hook', lastEventAt: late, lastError: 'away' }]);
    await sources().note([
      { connectorId: id, name: 'hook', lastEventAt: early, lastPollAt: early },
      { connectorId: id, name: 'gone', lastEventAt: early },
      { connectorId: id, name: 'a\0b', lastEventAt: early },
    ]);
    expect(await stateOf('hook')).toMatchObject({ lastEventAt: late, lastPollAt: early, lastError: 'away', enabled: true });
    await sources().note([{ connectorId: id, name: 'hook', lastError: null }]);
    expect(await stateOf('hook')).toMatchObject({ lastEventAt: late, lastPollAt: early, lastError: null });
    expect(await stateOf('other')).toMatchObject(unread);
    await sources().note([]);
    expect(await feed.of(id)).toEqual([]);
  });

  it('that fail are listed for operators: those that are on, of connectors that are not deleted, read last first', async () => {
    const { id, organizationId } = await aConnector(lab());
    ok(await publish(id, 0, ['poller', 'early'], ['poller', 'late'], ['poller', 'off'], ['poller', 'well']));
    const at = (minute: number) => new Date(Date.UTC(2026, 2, 2, 10, minute));
    const lastError = 'away';
    await sources().note(['early', 'late', 'off'].map((name, index) =>
      ({ connectorId: id, name, lastError, lastPollAt: at(index) })));
    await sources().setEnabled(id, 'off', false);
    const own = async (limit = 1_000) => (await sources().failing(limit)).filter(({ connectorId }) => connectorId === id);
    const known = { connectorId: id, organizationId, type: 'poller', lastError };
    expect(await own()).toEqual([{ ...known, name: 'late', lastPollAt: at(1) }, { ...known, name: 'early', lastPollAt: at(0) }]);
    expect(await sources().failing(0)).toEqual([]);
    await lab().store.connectors.delete(organizationId, id);
    expect(await own()).toEqual([]);
  });

  it('belong to sources that are there, of a connector that is not deleted; only a webhook has a secret', async () => {
    const { id, organizationId } = await aConnector(lab());
    ok(await publish(id, 0, ['webhook', 'hook'], ['event_api', 'api']));
    expect(await sources().rotate(id, 'api', 's')).toEqual({ ok: false, reason: 'no_webhook' });
    expect(await sources().rotate(id, 'none', 's')).toEqual({ ok: false, reason: 'not_found' });
    expect(await sources().setEnabled(id, 'none', true)).toBeNull();
    expect([await sources().setEnabled(id, 'a\0b', true), (await sources().rotate(id, 'a\0b', 's')).ok]).toEqual([null, false]);
    await lab().store.connectors.delete(organizationId, id);
    expect(await sources().list(id)).toEqual([]);
    expect(await sources().setEnabled(id, 'hook', true)).toBeNull();
    expect(await sources().rotate(id, 'hook', 's')).toEqual({ ok: false, reason: 'not_found' });
    expect([await sources().list('nonsense'), await sources().setEnabled('nonsense', 'hook', true)]).toEqual([[], null]);
  });
}
