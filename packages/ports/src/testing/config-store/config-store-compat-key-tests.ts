import { randomUUID } from 'node:crypto';
import type { ConfigStoreLab } from './config-store-lab';
import { aConnector, aHash, everything, signUp } from './config-store-lab';

const aCompatKey = (over: { label?: string; hash?: string; keysLimit?: number } = {}) =>
  ({ label: 'legacy shop', hash: aHash(), createdById: null, ...over });

/** Keys of the legacy-compatible ingress: a value is imported once per connector, and stays known when it was revoked. */
export function configCompatKeyTests(lab: () => ConfigStoreLab): void {
  const keys = () => lab().store.compatKeys;

  it('keeps a key, lists it newest first without its hash, and revokes it', async () => {
    const { id } = await aConnector(lab());
    const first = await keys().create(id, aCompatKey({ label: 'first' }));
    const second = await keys().create(id, aCompatKey({ label: 'second' }));
    if (first === null || first === 'duplicate' || second === null || second === 'duplicate') throw new Error('refused');
    expect(first).toEqual({
      id: expect.any(String),
      label: 'first',
      createdAt: expect.any(Date),
      lastUsedAt: null,
      revokedAt: null,
    });
    expect((await keys().list(id, { limit: 1, offset: 0 })).total).toBe(2);
    expect(await keys().revoke(id, first.id)).toBe(true);
    expect(await keys().revoke(id, first.id)).toBe(true);
    const { items } = await lab().other.compatKeys.list(id, everything);
    expect(Object.fromEntries(items.map(({ label, revokedAt }) => [label, revokedAt !== null]))).toEqual({
      first: true,
      second: false,
    });
  });

  it('takes a value once per connector, also when it was revoked or is imported twice at once', async () => {
    const { organizationId } = await signUp(lab());
    const [one, other] = [await aConnector(lab(), { organizationId }), await aConnector(lab(), { organizationId })];
    const key = aCompatKey();
    const answers = await Promise.all([keys().create(one.id, key), lab().other.compatKeys.create(one.id, key)]);
    const [kept] = answers.filter((answer) => answer !== 'duplicate');
    expect(answers.filter((answer) => answer === 'duplicate')).toHaveLength(1);
    await keys().revoke(one.id, (kept as { id: string }).id);
    expect(await keys().create(one.id, key)).toBe('duplicate');
    expect(await keys().create(other.id, key)).toMatchObject({ label: 'legacy shop' });
  });

  it('does not know the keys of another connector, nor connectors that are gone', async () => {
    const { organizationId } = await signUp(lab());
    const [one, other] = [await aConnector(lab(), { organizationId }), await aConnector(lab(), { organizationId })];
    const key = (await keys().create(one.id, aCompatKey())) as { id: string };
    expect(await keys().revoke(other.id, key.id)).toBe(false);
    expect(await keys().revoke(one.id, randomUUID())).toBe(false);
    expect(await keys().revoke(one.id, 'nonsense')).toBe(false);
    expect((await keys().list(other.id, everything)).total).toBe(0);
    expect((await keys().list(one.id, everything)).items[0]!.revokedAt).toBeNull();
    await lab().store.connectors.delete(organizationId, other.id);
    expect(await keys().create(other.id, aCompatKey())).toBeNull();
  });

  it('knows a usable key by its hash, and that it is used', async () => {
    const { organizationId } = await signUp(lab());
    const [one, other] = [await aConnector(lab(), { organizationId }), await aConnector(lab(), { organizationId })];
    const key = aCompatKey();
    const { id } = (await keys().create(one.id, key)) as { id: string };
    expect(await Promise.all([keys().use(one.id, key.hash), keys().use(one.id, key.hash)])).toEqual([{ id }, { id }]);
    expect((await keys().list(one.id, everything)).items[0]!.lastUsedAt).toEqual(expect.any(Date));
    expect(
      [await keys().use(other.id, key.hash), await keys().use(one.id, aHash()), await keys().use('nonsense', key.hash)],
    ).toEqual(
      [null, null, null],
    );
    await keys().revoke(one.id, id);
    expect(await keys().use(one.id, key.hash)).toBeNull();
  });

  it('makes no more usable keys than allowed', async () => {
    const { id } = await aConnector(lab());
    const key = (await keys().create(id, aCompatKey({ keysLimit: 1 }))) as { id: string };
    await expect(keys().create(id, aCompatKey({ keysLimit: 1 }))).rejects.toThrow('1 usable keys');
    await keys().revoke(id, key.id);
    expect(await keys().create(id, aCompatKey({ keysLimit: 1 }))).toMatchObject({ revokedAt: null });
  });
}
