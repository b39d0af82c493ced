import { randomUUID } from 'node:crypto';
import { type AuditFacts, inAuditScope } from '../../config-store/audit-scope';
import type { AuditEntry } from '../../config-store';
import { InvalidCursor } from '../../shared/list-cursor';
import { madeUpCursors } from '../shared/made-up-cursors';
import {
  aConnector,
  aSession,
  aKey,
  anHourAgo,
  type ConfigStoreLab,
  inAnHour,
  newConnector,
  newCredential,
  newVersion,
  ok,
  signUp,
} from './config-store-lab';

const actor = { type: 'org_key', id: 'k1', label: 'deploy' } as const;

/** The audit log: written with the changes, read by organization. */
export function configAuditTests(lab: () => ConfigStoreLab): void {
  const store = () => lab().store;
  const facts = (
    organizationId: string | null,
    action: string,
    targetId: string | null = null,
    over: Partial<AuditFacts> = {},
  ): AuditFacts => ({
    organizationId,
    actor,
    action,
    target: { type: 'thing', id: targetId },
    ip: '192.0.2.1',
    requestId: 'r1',
    ...over,
  });
  const as = <T>(given: AuditFacts, work: () => Promise<T>): Promise<T> => inAuditScope(() => given, work);
  const entriesOf = async (organizationId: string) => (await store().audit.list(organizationId, { limit: 100 })).items;
  const told = async (organizationId: string) =>
    (await entriesOf(organizationId)).map(({ action, target, outcome }) => [action, target.id, outcome]).reverse();

  it('tells of every kind of change, with the ids that came into being', async () => {
    const { organizationId, userId, email } = await signUp(lab());
    const run = <T,>(action: string, targetId: string | null, work: () => Promise<T>) =>
      as(facts(organizationId, action, targetId), work);
    const orgKey = await run('org_key.create', null, () => store().organizations.createKey(organizationId, aKey()));
    await run('org_key.revoke', orgKey.id, () => store().organizations.revokeKey(organizationId, orgKey.id));
    await run('organization.update', organizationId, () =>
      store().organizations.update(organizationId, { publishReview: false }),
    );
    const { connector } = ok(
      await run('connector.create', null, () => store().connectors.create(newConnector(organizationId, { apiKey: aKey() }))),
    );
    await run('connector.update', connector.id, () =>
      store().connectors.update(organizationId, connector.id, { name: 'Other', updatedById: null }),
    );
    const key = await run('connector_key.create', null, () => store().connectors.createKey(connector.id, aKey()));
    await run('connector_key.revoke', key!.id, () => store().connectors.revokeKey(connector.id, key!.id));
    const { credential } = ok(
      await run('credential.create', null, () => store().credentials.create(newCredential(organizationId))),
    );
    await run('credential.rotate', credential.id, () =>
      store().credentials.rotate(organizationId, credential.id, { sealed: 's', portalId: '77', updatedById: null }),
    );
    await run('draft.read', connector.id, () => store().drafts.get(connector.id, {}));
    await run('draft.replace', connector.id, () => store().drafts.save(connector.id, { config: { a: 1 }, updatedBy: 'u' }));
    await run('connector.publish', connector.id, () => store().drafts.publish(newVersion(connector.id)));
    await run('credential.delete', credential.id, () => store().credentials.delete(organizationId, credential.id));
    await run('connector.delete', connector.id, () => store().connectors.delete(organizationId, connector.id));
    const user = facts(null, 'session.create', null, { actor: { type: 'user', id: null, label: null } });
    const sessionId = await as(user, () =>
      store().accounts.openSession({ ...aSession(), userId, organizationId }),
    );
    await as({ ...user, action: 'session.end' }, () => store().accounts.endSessionById(sessionId));
    const changed = [
      ['org_key.create', orgKey.id],
      ['org_key.revoke', orgKey.id],
      ['organization.update', organizationId],
      ['connector.create', connector.id],
      ['connector.update', connector.id],
      ['connector_key.create', key!.id],
      ['connector_key.revoke', key!.id],
      ['credential.create', credential.id],
      ['credential.rotate', credential.id],
      ['draft.replace', connector.id],
      ['connector.publish', connector.id],
      ['credential.delete', credential.id],
      ['connector.delete', connector.id],
      ['session.create', sessionId],
      ['session.end', sessionId],
    ];
    expect(await told(organizationId)).toEqual(changed.map((change) => [...change, 'done']));
    const [ended] = await entriesOf(organizationId);
    expect(ended).toEqual({
      id: expect.any(String),
      at: expect.any(Date),
      organizationId,
      actor: { type: 'user', id: userId, label: email },
      action: 'session.end',
      target: { type: 'thing', id: sessionId },
      ip: '192.0.2.1',
      requestId: 'r1',
      outcome: 'done',
      reason: null,
    });
  });

  it('knows the organization of an account that is just created, and leaves an operator his name', async () => {
    const operator = { type: 'operator', id: null, label: 'operator' } as const;
    const account = {
      email: `${randomUUID()}@shop.example`,
      passwordHash: 'hash',
      organizationName: 'Shop',
      tier: 'free' as const,
    };
    const { organizationId } = ok(
      await as(facts(null, 'organization.create', null, { actor: operator }), () => store().accounts.create(account)),
    );
    expect(await entriesOf(organizationId)).toMatchObject([{ actor: operator, target: { id: organizationId } }]);
    expect(await as(facts(null, 'account.create'), () => store().accounts.create(account))).toMatchObject({ ok: false });
    expect(await entriesOf(organizationId)).toHaveLength(1);
  });

  it('writes nothing for what changed nothing, one entry for work of several changes, and none without a scope', async () => {
    const { organizationId } = await signUp(lab());
    const connector = await aConnector(lab(), { organizationId });
    await as(facts(organizationId, 'connector.update'), () =>
      store().connectors.update(organizationId, randomUUID(), { name: 'x', updatedById: null }),
    );
    await as(facts(organizationId, 'org_key.revoke'), () => store().organizations.revokeKey(organizationId, randomUUID()));
    await store().drafts.get(connector.id, {});
    await as(facts(organizationId, 'draft.patch'), () =>
      store().drafts.save(connector.id, { config: {}, expectedVersion: 99, updatedBy: 'u' }),
    );
    expect(await told(organizationId)).toEqual([]);
    await as(facts(organizationId, 'draft.reset', connector.id), async () => {
      await store().drafts.save(connector.id, { config: { a: 1 }, updatedBy: 'u' });
      await store().drafts.save(connector.id, { config: { a: 2 }, updatedBy: 'u' });
    });
    expect(await told(organizationId)).toEqual([['draft.reset', connector.id, 'done']]);
  });

  it('tells of what nobody asked for: the end of a trial', async () => {
    const { organizationId } = await signUp(lab(), {
      tier: 'trial',
      trialKeys: { company: null, address: randomUUID() },
      trialMs: -1_000,
    });
    await store().organizations.endTrials(new Date());
    expect(await entriesOf(organizationId)).toMatchObject([
      {
        actor: { type: 'system', id: null },
        action: 'organization.trial_end',
        target: { type: 'organization', id: organizationId },
        ip: null,
      },
    ]);
  });

  it('is read in pages, newest first, by time and action, each organization its own; old entries go', async () => {
    const [organizationId, other] = [randomUUID(), randomUUID()];
    const entry = (action: string): AuditEntry => ({
      ...facts(organizationId, action),
      organizationId,
      outcome: 'refused',
      reason: 'owner_required',
    });
    for (const action of ['a', 'b', 'a', 'c', 'a']) await store().audit.add(entry(action));
    await store().audit.add({ ...entry('z'), organizationId: other });
    const actionsOf = async (query: Partial<Parameters<ReturnType<typeof store>['audit']['list']>[1]>) => {
      const { items, nextCursor } = await lab().other.audit.list(organizationId, { limit: 100, ...query });
      return { actions: items.map(({ action }) => action).join(''), nextCursor };
    };
    const first = await actionsOf({ limit: 2 });
    expect(first).toEqual({ actions: 'ac', nextCursor: expect.any(String) });
    expect(await actionsOf({ limit: 3, cursor: first.nextCursor! })).toEqual({ actions: 'aba', nextCursor: null });
    expect((await actionsOf({ action: 'a' })).actions).toBe('aaa');
    expect([
      (await actionsOf({ since: inAnHour() })).actions,
      (await actionsOf({ until: anHourAgo() })).actions,
      (await actionsOf({ since: anHourAgo(), until: inAnHour() })).actions,
    ]).toEqual(['', '', 'acaba']);
    for (const cursor of madeUpCursors) await expect(actionsOf({ cursor })).rejects.toThrow(InvalidCursor);
    expect(await store().audit.sweep(anHourAgo(), 1_000)).toBe(0);
    expect(await store().audit.sweep(inAnHour(), 2)).toBe(2);
    while ((await store().audit.sweep(inAnHour(), 1_000)) > 0);
    expect((await actionsOf({})).actions).toBe('');
  });
}
