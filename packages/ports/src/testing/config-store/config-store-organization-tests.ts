import { randomUUID } from 'node:crypto';
import type { ConfigStoreLab } from './config-store-lab';
import {
  aConnector,
  aCredential,
  aHash,
  aKey,
  anHourAgo,
  createFeed,
  everything,
  inAnHour,
  newVersion,
  ok,
  signUp,
} from './config-store-lab';

/** Plans, usage, and the organization's own keys. */
export function configOrganizationTests(lab: () => ConfigStoreLab): void {
  const organizations = () => lab().store.organizations;

  it('changes only what is given, and tells every connector of the organization', async () => {
    const { organizationId } = await signUp(lab());
    const [one, two, stranger] = [
      await aConnector(lab(), { organizationId }),
      await aConnector(lab(), { organizationId }),
      await aConnector(lab()),
    ];
    const feed = createFeed(lab());
    await feed.of(one.id);
    const changed = await organizations().update(organizationId, { state: 'suspended', limits: { connectors: 3, seats: null } });
    expect(changed).toMatchObject({
      id: organizationId,
      tier: 'enterprise',
      state: 'suspended',
      limits: { connectors: 3, seats: null },
    });
    expect(await organizations().get(organizationId)).toEqual(changed);
    for (const { id } of [one, two])
      expect((await feed.of(id)).at(-1)).toMatchObject({
        revision: 2,
        organization: { tier: 'enterprise', state: 'suspended', limits: { connectors: 3, seats: null } },
      });
    expect((await feed.of(stranger.id)).map(({ revision }) => revision)).not.toContain(2);
    expect(await organizations().update(randomUUID(), { state: 'closed' })).toBeNull();
  });

  it('ends trials that are over, once, and tells connectors', async () => {
    const [over, running] = [
      await signUp(lab(), { tier: 'trial', trialMs: -1_000 }),
      await signUp(lab(), { tier: 'trial', trialMs: 3_600_000 }),
    ];
    const { id } = await aConnector(lab(), { organizationId: over.organizationId });
    const feed = createFeed(lab());
    expect(await organizations().endTrials(new Date())).toBe(1);
    expect(await organizations().endTrials(new Date())).toBe(0);
    expect(await organizations().get(over.organizationId)).toMatchObject({ tier: 'free', trialEndsAt: null });
    expect(await organizations().get(running.organizationId)).toMatchObject({ tier: 'trial', trialEndsAt: expect.any(Date) });
    expect(await feed.last(id)).toMatchObject({ revision: 2, organization: { tier: 'free' } });
  });

  it('never takes back the tier an operator sets while a trial ends', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { organizationId } = await signUp(lab(), { tier: 'trial', trialMs: -1_000 });
      await Promise.all([
        organizations().endTrials(new Date()),
        lab().other.organizations.update(organizationId, { tier: 'enterprise' }),
      ]);
      expect(await organizations().get(organizationId)).toMatchObject({ tier: 'enterprise', trialEndsAt: null });
    }
  });

  it('adds an organization of an account: its first on the trial where one is left, a further one on free', async () => {
    const company = `domain:${randomUUID()}`;
    const add = (owner: { userId: string; email: string }, domain = company) => organizations().add({
      name: 'Second', ownerId: owner.userId, trialKeys: { company: domain, address: `address:${owner.email}` },
      trialMs: 3_600_000,
    });
    const ownerOfNothing = async () => {
      const [user, heir] = [await signUp(lab(), { verified: true }), await signUp(lab())];
      await lab().addMember(user.organizationId, heir.userId, 'owner');
      ok(await lab().store.members.remove(user.organizationId, user.userId));
      return user;
    };
    const [user, colleague] = [await ownerOfNothing(), await ownerOfNothing()];
    const first = await add(user);
    expect(first).toMatchObject(
      { name: 'Second', tier: 'trial', state: 'active', trialEndsAt: expect.any(Date), trialBlocked: null },
    );
    expect(await lab().other.organizations.get(first.id)).toEqual(first);
    expect(await lab().store.members.roleIn(first.id, user.userId)).toBe('owner');
    const blocked = { tier: 'free', trialEndsAt: null, trialBlocked: 'trial_already_used' };
    for (const owner of [user, colleague]) expect(await add(owner)).toMatchObject(blocked);

    const contracted = await signUp(lab());
    const unused = `domain:${randomUUID()}`;
    expect(await add(contracted, unused)).toMatchObject({ tier: 'free', trialEndsAt: null, trialBlocked: null });
    expect(await add(await ownerOfNothing(), unused)).toMatchObject({ tier: 'trial' });
  });

  it('closes an organization for a time in which it can be reopened, and for good after it', async () => {
    const { organizationId } = await signUp(lab());
    const { id } = await aConnector(lab(), { organizationId });
    const feed = createFeed(lab());
    const closing = await organizations().close(organizationId, 3_600_000);
    expect(closing).toMatchObject({ ok: true, organization: { state: 'closing', closesAt: expect.any(Date) } });
    expect(await organizations().close(organizationId, 3_600_000)).toEqual({ ok: false, reason: 'closing' });
    expect(await feed.last(id)).toMatchObject({ organization: { state: 'closing' } });
    expect(await organizations().endRecoveries(new Date())).toBe(0);
    expect(await organizations().reopen(organizationId)).toMatchObject(
      { ok: true, organization: { state: 'active', closesAt: null } },
    );
    expect(await organizations().reopen(organizationId)).toEqual({ ok: false, reason: 'not_closing' });
    ok(await organizations().close(organizationId, -1));
    expect(await organizations().reopen(organizationId)).toEqual({ ok: false, reason: 'over' });
    expect(await organizations().endRecoveries(inAnHour())).toBeGreaterThanOrEqual(1);
    expect(await organizations().get(organizationId)).toMatchObject({ state: 'closed', closesAt: null });
    expect(await organizations().reopen(organizationId)).toEqual({ ok: false, reason: 'not_closing' });
    expect(await feed.last(id)).toMatchObject({ organization: { state: 'closed' } });
    expect(await organizations().update(organizationId, { state: 'closing', recoveryMs: 1_000 })).toMatchObject(
      { closesAt: expect.any(Date) },
    );
    expect(await organizations().update(organizationId, { state: 'active' })).toMatchObject({ state: 'active', closesAt: null });
  });

  it('is suspended again when it is reopened, unless an operator has ended that meanwhile', async () => {
    const { organizationId } = await signUp(lab());
    const suspended = { state: 'suspended' } as const;
    await organizations().update(organizationId, suspended);
    ok(await organizations().close(organizationId, 3_600_000));
    await organizations().update(organizationId, { state: 'closing', recoveryMs: 1_800_000 });
    expect(ok(await organizations().reopen(organizationId)).organization).toMatchObject({ ...suspended, closesAt: null });
    ok(await organizations().close(organizationId, 3_600_000));
    await organizations().update(organizationId, { state: 'active' });
    ok(await organizations().close(organizationId, 3_600_000));
    expect(ok(await organizations().reopen(organizationId)).organization).toMatchObject({ state: 'active' });
  });

  it('has used its trial up once it has left it', async () => {
    const { organizationId } = await signUp(lab(), { tier: 'trial', trialMs: -1_000 });
    const of = async () => (await organizations().get(organizationId))!;
    expect(await of()).toMatchObject({ tier: 'trial', trialBlocked: null });
    expect(await organizations().endTrials(new Date())).toBeGreaterThanOrEqual(1);
    expect(await of()).toMatchObject({ tier: 'free', trialBlocked: 'trial_already_used' });
    await organizations().update(organizationId, { tier: 'trial' });
    expect(await of()).toMatchObject({ tier: 'trial', trialBlocked: null });
    await organizations().update(organizationId, { tier: 'pro' });
    expect(await of()).toMatchObject({ tier: 'pro', trialBlocked: 'trial_already_used' });
  });

  it('is reopened or closed for good, when both happen at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { organizationId } = await signUp(lab());
      ok(await organizations().close(organizationId, 1_800_000));
      const [reopened] = await Promise.all([
        organizations().reopen(organizationId), lab().other.organizations.endRecoveries(inAnHour()),
      ]);
      expect(await organizations().get(organizationId)).toMatchObject(
        { state: reopened.ok ? 'active' : 'closed', closesAt: null },
      );
    }
  });

  it('counts what of its plan an organization uses', async () => {
    const { organizationId } = await signUp(lab());
    const kept = await aConnector(lab(), { organizationId });
    const gone = await aConnector(lab(), { organizationId });
    for (const { id } of [kept, gone])
      ok(
        await lab().store.drafts.publish(
          newVersion(id, {
            sources: [
              { name: 'shop', type: 'event_api', sealed: null },
              { name: 'erp', type: 'event_api', sealed: null },
            ],
          }),
        ),
      );
    await aCredential(lab(), organizationId, { portalId: '1' });
    await aCredential(lab(), organizationId, { portalId: '1' });
    await aCredential(lab(), organizationId, { portalId: '2' });
    await aCredential(lab(), organizationId, { portalId: null, credentialType: 'http_api', name: 'shop' });
    await lab().store.connectors.delete(organizationId, gone.id);
    expect(await organizations().usage(organizationId)).toEqual({ connectors: 1, eventSources: 2, seats: 1, portals: 2 });
  });

  it('lists the object types of drafts and active versions, each once', async () => {
    const { organizationId } = await signUp(lab());
    const config = (...types: (string | undefined)[]) => ({
      entities: types.map((object_type, index) => ({ name: `e${index}`, schemas: { crm: { object_type }, canonical: {} } })),
    });
    const [one, two, gone] = [
      await aConnector(lab(), { organizationId }),
      await aConnector(lab(), { organizationId }),
      await aConnector(lab(), { organizationId }),
    ];
    expect(await organizations().objectTypes(organizationId)).toEqual([]);
    await lab().store.drafts.get(one.id, config('contacts', 'p1_boats', undefined));
    ok(await lab().store.drafts.publish(newVersion(two.id, { config: config('p1_old') })));
    ok(await lab().store.drafts.publish(newVersion(two.id, { config: config('p1_boats', 'p1_cars'), baseVersion: 1 })));
    const three = await aConnector(lab(), { organizationId });
    const everywhere = {
      entities: [], pipelines: [{ object_type: 'p1_pipes' }],
      flows: [
        { source: 'journal', event_type: '2-17.update', steps: [{ object_type: 'p1_found' }] },
        { source: 'event_api', event_type: '2-18.update', steps: [{ fields: ['email', { object_type: 'p1_form' }] }] },
      ],
      sources: [
        { name: 'journal', type: 'crm', config: { triggers: [{ object_type: 'p1_seen' }], enrich_properties: { p1_read: [] } } },
        { name: 'event_api', type: 'event_api', config: { enrich_properties: { none: [] } } },
      ],
    };
    await lab().store.drafts.get(three.id, everywhere);
    await lab().store.drafts.get(gone.id, config('p1_gone'));
    await lab().store.connectors.delete(organizationId, gone.id);
    await lab().store.drafts.get((await aConnector(lab())).id, config('p1_foreign'));
    expect((await lab().other.organizations.objectTypes(organizationId)).sort()).toEqual([
      '2-17', 'contacts', 'p1_boats', 'p1_cars', 'p1_form', 'p1_found', 'p1_pipes', 'p1_read', 'p1_seen',
    ]);
  });

  it('knows an organization by its usable keys, and notes their use', async () => {
    const { organizationId } = await signUp(lab());
    const [good, expired, revoked] = [
      aKey({ label: 'good' }),
      aKey({ label: 'expired', expiresAt: anHourAgo() }),
      aKey({ label: 'revoked', expiresAt: inAnHour() }),
    ];
    const rows = [
      await organizations().createKey(organizationId, good),
      await organizations().createKey(organizationId, expired),
      await organizations().createKey(organizationId, revoked),
    ];
    expect(rows[0]).toEqual({
      id: expect.any(String),
      label: 'good',
      createdAt: expect.any(Date),
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
    });
    expect(await organizations().revokeKey(organizationId, rows[2]!.id)).toBe(true);
    expect(await organizations().byKeyHash(good.hash)).toMatchObject({
      keyId: rows[0]!.id,
      organization: { id: organizationId },
    });
    expect([
      await organizations().byKeyHash(expired.hash),
      await organizations().byKeyHash(revoked.hash),
      await organizations().byKeyHash(aHash()),
    ]).toEqual([null, null, null]);
    const { items, total } = await organizations().keys(organizationId, everything);
    expect(total).toBe(3);
    expect(
      Object.fromEntries(items.map(({ label, lastUsedAt, revokedAt }) => [label, [lastUsedAt !== null, revokedAt !== null]])),
    ).toEqual({ good: [true, false], expired: [false, false], revoked: [false, true] });
  });

  it('revokes a key for good, and only the organization\'s own', async () => {
    const [mine, theirs] = [await signUp(lab()), await signUp(lab())];
    const key = aKey();
    const { id } = await organizations().createKey(mine.organizationId, key);
    expect(await organizations().revokeKey(theirs.organizationId, id)).toBe(false);
    expect(await organizations().byKeyHash(key.hash)).not.toBeNull();
    expect([
      await organizations().revokeKey(mine.organizationId, id),
      await organizations().revokeKey(mine.organizationId, id),
    ]).toEqual([true, true]);
    expect(await organizations().byKeyHash(key.hash)).toBeNull();
    await expect(organizations().createKey(theirs.organizationId, key)).rejects.toThrow();
  });
}
