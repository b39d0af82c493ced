import { maxKeysInChange } from '@sluice/contracts';
import type { ConfigStoreLab } from './config-store-lab';
import { aConnector, aKey, anHourAgo, createFeed, everything, newConnector, ok } from './config-store-lab';

/** Keys of connectors: how many there are, who revokes them, what is known of their use. */
export function configConnectorKeyTests(lab: () => ConfigStoreLab): void {
  const connectors = () => lab().store.connectors;

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
}
