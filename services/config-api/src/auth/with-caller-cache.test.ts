import { monotonicClock } from '@sluice/ports';
import { createMemoryConfigStore } from '@sluice/ports/testing';
import { withCallerCache } from './with-caller-cache';

async function lab() {
  const clock = { now: 1_000_000 };
  const store = createMemoryConfigStore();
  const reads = { sessions: 0, keys: 0 };
  const { sessionActor } = store.accounts;
  const { byKeyHash } = store.organizations;
  store.accounts.sessionActor = (id) => {
    reads.sessions += 1;
    return sessionActor(id);
  };
  store.organizations.byKeyHash = (hash) => {
    reads.keys += 1;
    return byKeyHash(hash);
  };
  const created = await store.accounts.create({ email: 'ada@shop.example', passwordHash: 'h', organizationName: 'Shop', tier: 'pro' });
  if (!created.ok) throw new Error(created.reason);
  const { userId, organizationId } = created;
  const client = { lifetimeMs: 120_000, ip: '203.0.113.5', userAgent: null };
  const session = { userId, organizationId, tokenHash: 't', expiresAt: new Date(Date.now() + 60_000), ...client };
  const sessionId = await store.accounts.openSession(session);
  const key = await store.organizations.createKey(organizationId, { label: 'deploy', hash: 'k', createdById: null });
  const process = () => withCallerCache(store, { monotonicNow: monotonicClock(() => clock.now) });
  return { clock, store, reads, sessionId, keyId: key.id, organizationId, process };
}

test('a caller costs one read a second, also when its requests arrive together', async () => {
  const { clock, reads, sessionId, process } = await lab();
  const { accounts, organizations } = process();
  await Promise.all(Array.from({ length: 20 }, () => accounts.sessionActor(sessionId)));
  await Promise.all(Array.from({ length: 20 }, () => organizations.byKeyHash('k')));
  clock.now += 999;
  expect((await accounts.sessionActor(sessionId))?.account.email).toBe('ada@shop.example');
  expect(reads).toEqual({ sessions: 1, keys: 1 });
  clock.now += 1;
  await accounts.sessionActor(sessionId);
  expect(reads).toEqual({ sessions: 2, keys: 1 });
});

test('the process that ends a session refuses it at once, another one after a second', async () => {
  const { clock, sessionId, process } = await lab();
  const [own, other] = [process(), process()];
  for (const { accounts } of [own, other]) expect(await accounts.sessionActor(sessionId)).not.toBeNull();
  await own.accounts.endSessionById(sessionId);
  expect(await own.accounts.sessionActor(sessionId)).toBeNull();
  expect(await other.accounts.sessionActor(sessionId)).not.toBeNull();
  clock.now += 1_000;
  expect(await other.accounts.sessionActor(sessionId)).toBeNull();
});

test('likewise a revoked key, another plan, and whatever else may change callers', async () => {
  const { keyId, organizationId, sessionId, process } = await lab();
  const { accounts, organizations } = process();
  expect((await accounts.sessionActor(sessionId))?.organization?.tier).toBe('pro');
  await organizations.update(organizationId, { tier: 'scale' });
  expect((await accounts.sessionActor(sessionId))?.organization?.tier).toBe('scale');
  expect((await organizations.byKeyHash('k'))?.keyId).toBe(keyId);
  await organizations.revokeKey(organizationId, keyId);
  expect(await organizations.byKeyHash('k')).toBeNull();
  expect(await organizations.byKeyHash('next')).toBeNull();
  await organizations.createKey(organizationId, { label: 'next', hash: 'next', createdById: null });
  expect((await organizations.byKeyHash('next'))?.label).toBe('next');
});

test('a read that is under way while the session ends is not believed afterwards', async () => {
  const { store, sessionId, process } = await lab();
  const { accounts } = process();
  const asBefore = await store.accounts.sessionActor(sessionId);
  let arrive = (): void => undefined;
  store.accounts.sessionActor = () => new Promise((resolve) => { arrive = () => resolve(asBefore); });
  const reading = accounts.sessionActor(sessionId);
  await accounts.endSessionById(sessionId);
  store.accounts.sessionActor = async () => null;
  arrive();
  await reading;
  expect(await accounts.sessionActor(sessionId)).toBeNull();
});

test('a read between the beginning and the end of a change is not believed afterwards', async () => {
  const { store, sessionId, process } = await lab();
  const end = store.accounts.endSessionById;
  let commit = (): void => undefined;
  store.accounts.endSessionById = async (id) => {
    await new Promise<void>((resolve) => { commit = resolve; });
    return end(id);
  };
  const { accounts } = process();
  const ending = accounts.endSessionById(sessionId);
  expect(await accounts.sessionActor(sessionId)).not.toBeNull();
  commit();
  await ending;
  expect(await accounts.sessionActor(sessionId)).toBeNull();
});

test('a change whose outcome is not known counts as made', async () => {
  const { store, reads, sessionId, process } = await lab();
  store.accounts.endSession = () => Promise.reject(new Error('the connection was lost'));
  const { accounts } = process();
  await accounts.sessionActor(sessionId);
  await expect(accounts.endSession('t')).rejects.toThrow('lost');
  await accounts.sessionActor(sessionId);
  expect(reads.sessions).toBe(2);
});

test('a read that failed is made again', async () => {
  const { store, sessionId, process } = await lab();
  const read = store.accounts.sessionActor;
  const { accounts } = process();
  store.accounts.sessionActor = () => Promise.reject(new Error('away'));
  await expect(accounts.sessionActor(sessionId)).rejects.toThrow('away');
  store.accounts.sessionActor = read;
  expect((await accounts.sessionActor(sessionId))?.account.email).toBe('ada@shop.example');
});
