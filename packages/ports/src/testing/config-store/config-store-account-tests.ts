import { randomUUID } from 'node:crypto';
import { inAuditScope } from '../../config-store/audit-scope';
import type { NewAccount } from '../../config-store';
import type { ConfigStoreLab } from './config-store-lab';
import { aHash, aMailToken, aSession, anHourAgo, inAnHour, ok, signUp } from './config-store-lab';

/** Users, sign-up, sessions. */
export function configAccountTests(lab: () => ConfigStoreLab): void {
  const accounts = () => lab().store.accounts;
  const onTrial = (company: string | null, over: Partial<NewAccount> = {}): NewAccount => {
    const email = over.email ?? `${randomUUID()}@shop.example`;
    const trialKeys = { company, address: `address:${email}` };
    return { email, passwordHash: 'hash', organizationName: 'Shop', tier: 'trial', trialKeys, trialMs: 3_600_000, ...over };
  };
  const organizationOf = async ({ organizationId }: { organizationId: string }) => lab().store.organizations.get(organizationId);
  const signIn = async (
    user: { userId: string; organizationId: string },
    expiresAt = inAnHour(),
  ): Promise<{ tokenHash: string; sessionId: string }> => {
    const tokenHash = aHash();
    return {
      tokenHash,
      sessionId: await accounts().openSession({
        ...aSession({ tokenHash, expiresAt }), userId: user.userId, organizationId: user.organizationId,
      }),
    };
  };
  const rotate = (tokenHash: string, nextHash = aHash(), store = accounts()) =>
    store.rotate({ tokenHash, nextHash, nextExpiresAt: inAnHour(), isProven: () => true });
  const alive = async (sessionId: string): Promise<boolean> => (await accounts().sessionActor(sessionId)) !== null;

  it('creates user, organization and ownership together', async () => {
    const { userId, organizationId, email } = await signUp(lab(), { tier: 'pro' });
    const user = {
      id: userId, email, name: null, verified: false, mfaEnabled: false, deactivated: false, createdAt: expect.any(Date),
    };
    const found = { ...user, passwordHash: 'hash', organizationIds: [organizationId] };
    expect([await accounts().userByEmail(email), await accounts().userById(userId)]).toEqual([found, found]);
    const { sessionId } = await signIn({ userId, organizationId });
    expect(await accounts().sessionActor(sessionId)).toMatchObject({
      account: user,
      role: 'owner',
      hasOrganization: true,
      organization: {
        id: organizationId,
        name: 'Shop',
        tier: 'pro',
        state: 'active',
        limits: {},
        trialEndsAt: null,
        trialBlocked: null,
      },
    });
    expect(await accounts().userByEmail(`${randomUUID()}@nowhere.example`)).toBeNull();
    expect([await accounts().userById(randomUUID()), await accounts().userById('nobody')]).toEqual([null, null]);
  });

  it('gives a session the role that its user has in the session\'s organization, and in no other', async () => {
    const [mine, theirs, nobodys] = [await signUp(lab()), await signUp(lab()), await signUp(lab())];
    await lab().addMember(theirs.organizationId, mine.userId, 'member');
    const roleIn = async ({ organizationId }: { organizationId: string }) => {
      const { sessionId } = await signIn({ userId: mine.userId, organizationId });
      const actor = await accounts().sessionActor(sessionId);
      return [actor?.account.id, actor?.organization?.id, actor?.role];
    };
    expect(await roleIn(mine)).toEqual([mine.userId, mine.organizationId, 'owner']);
    expect(await roleIn(theirs)).toEqual([mine.userId, theirs.organizationId, 'member']);
    expect(await roleIn(nobodys)).toEqual([mine.userId, nobodys.organizationId, null]);
  });

  it('has one account per address: of two sign-ups at once one wins, and the other uses up no trial', async () => {
    const [email, ...keys] = [`${randomUUID()}@shop.example`, randomUUID(), randomUUID()];
    const trial = (address: string) => onTrial(null, { email: email!, trialKeys: { company: null, address } });
    const answers = await Promise.all([accounts().create(trial(keys[0]!)), lab().other.accounts.create(trial(keys[1]!))]);
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    const lost = answers.findIndex((answer) => !answer.ok);
    expect(answers[lost]).toEqual({ ok: false, reason: 'email_already_registered' });
    expect((await accounts().userByEmail(email!))?.id).toBe(ok(answers[1 - lost]!).userId);
    const later = ok(await accounts().create(onTrial(null, { trialKeys: { company: null, address: keys[lost]! } })));
    expect(await organizationOf(later)).toMatchObject({ tier: 'trial', trialBlocked: null });
  });

  it('gives an address one trial, also to two at once', async () => {
    const trialKeys = { company: null, address: randomUUID() };
    const made = (
      await Promise.all([accounts(), lab().other.accounts].map((store) => store.create(onTrial(null, { trialKeys }))))
    ).map(ok);
    const organizations = await Promise.all(made.map(organizationOf));
    expect(organizations.map((one) => one?.tier).sort()).toEqual(['free', 'trial']);
    expect(organizations.find((one) => one?.tier === 'free')).toMatchObject({
      trialEndsAt: null,
      trialBlocked: 'trial_already_used',
    });
    expect(organizations.find((one) => one?.tier === 'trial')).toMatchObject({
      trialEndsAt: expect.any(Date),
      trialBlocked: null,
    });
  });

  it('lets a company\'s trial be used up by a verified account alone', async () => {
    const company = `domain:${randomUUID()}`;
    const tierOf = async (over: Partial<NewAccount> = {}) =>
      (await organizationOf(ok(await accounts().create(onTrial(company, over)))))?.tier;
    expect([await tierOf(), await tierOf()]).toEqual(['trial', 'trial']);
    expect(await tierOf({ verified: true })).toBe('trial');
    const late = ok(await accounts().create(onTrial(company)));
    expect(await organizationOf(late)).toMatchObject({ tier: 'free', trialBlocked: 'trial_already_used' });
    expect(await tierOf({ verified: true })).toBe('trial');
  });

  it('gives a verified account the address of an unverified one, which is signed out for good', async () => {
    const squatter = await signUp(lab());
    const { sessionId, tokenHash } = await signIn(squatter);
    expect(await accounts().create(onTrial(null, { email: squatter.email }))).toEqual({
      ok: false,
      reason: 'email_already_registered',
    });
    const operator = { type: 'operator', id: null, label: 'operator' } as const;
    const scope = {
      organizationId: null,
      actor: operator,
      action: 'organization.create',
      target: { type: 'organization', id: null },
      ip: '203.0.113.9',
      requestId: 'r',
    };
    const made = ok(
      await inAuditScope(
        () => scope,
        () => accounts().create(onTrial(null, { email: squatter.email, verified: true })),
      ),
    );
    expect(made.userId).not.toBe(squatter.userId);
    expect(await accounts().userByEmail(squatter.email)).toMatchObject(
      { id: made.userId, organizationIds: [made.organizationId] },
    );
    expect(await alive(sessionId)).toBe(false);
    expect(await rotate(tokenHash)).toEqual({ outcome: 'invalid' });
    expect(await organizationOf(squatter)).toMatchObject({ id: squatter.organizationId, state: 'active' });
    const entries = async (organizationId: string) => (await lab().store.audit.list(organizationId, { limit: 10 })).items;
    expect((await entries(squatter.organizationId))[0]).toMatchObject({
      action: 'account.release',
      actor: operator,
      target: { type: 'user', id: squatter.userId },
      ip: '203.0.113.9',
      outcome: 'done',
    });
    expect(await entries(made.organizationId)).toMatchObject([{ action: 'organization.create' }]);
    const again = await accounts().create(onTrial(null, { email: squatter.email, verified: true }));
    expect(again).toEqual({ ok: false, reason: 'email_already_registered' });
  });

  it('creates account, session and verification mail together', async () => {
    const email = `${randomUUID()}@shop.example`;
    const [session, verification] = [aSession(), aMailToken(email)];
    const account = { email, passwordHash: 'hash', organizationName: 'Shop', tier: 'free' as const, session, verification };
    const made = ok(await accounts().create(account));
    expect(await rotate(session.tokenHash)).toMatchObject({ outcome: 'rotated', sessionId: made.sessionId, userId: made.userId });
    const { ttlMs: _, ...mail } = verification.mail;
    expect(await lab().store.mails.list(email, 10)).toEqual([{ ...mail, createdAt: expect.any(Date) }]);
    const late = { ...account, session: { ...session, tokenHash: aHash() }, verification: aMailToken(email) };
    expect(await accounts().create(late)).toEqual({ ok: false, reason: 'email_already_registered' });
    expect((await lab().store.mails.list(email, 10)).map(({ id }) => id)).toEqual([mail.id]);
    expect((await rotate(late.session.tokenHash)).outcome).toBe('invalid');
  });

  it('gives an account a name', async () => {
    const { userId, email } = await signUp(lab());
    expect(await accounts().rename(userId, 'Ada')).toMatchObject({ id: userId, email, name: 'Ada' });
    expect((await lab().other.accounts.userByEmail(email))?.name).toBe('Ada');
    expect(await accounts().rename(randomUUID(), 'Nobody')).toBeNull();
  });

  it('opens a session without an organization, and acts where its user makes it act', async () => {
    const [mine, theirs] = [await signUp(lab()), await signUp(lab())];
    const { userId } = mine;
    const tokenHash = aHash();
    const sessionId = await accounts().openSession({ ...aSession({ tokenHash }), userId, organizationId: null });
    expect(await accounts().sessionActor(sessionId)).toMatchObject({ organization: null, role: null, hasOrganization: true });
    expect(await accounts().activate(sessionId, theirs.organizationId)).toBe(false);
    expect(await accounts().activate(sessionId, randomUUID())).toBe(false);
    expect(await accounts().activate(sessionId, mine.organizationId)).toBe(true);
    const actor = await lab().other.accounts.sessionActor(sessionId);
    expect(actor).toMatchObject({ organization: { id: mine.organizationId }, role: 'owner' });
    expect(await rotate(tokenHash)).toMatchObject({ outcome: 'rotated', organizationId: mine.organizationId });
    await accounts().endSessionById(sessionId);
    expect(await accounts().activate(sessionId, mine.organizationId)).toBe(false);
  });

  it('exchanges a refresh token for the next one of the same session', async () => {
    const user = await signUp(lab());
    const { tokenHash, sessionId } = await signIn(user);
    const next = aHash();
    const rotated = { outcome: 'rotated', sessionId, userId: user.userId, organizationId: user.organizationId };
    expect(await rotate(tokenHash, next)).toEqual(rotated);
    expect(await rotate(next)).toEqual(rotated);
    expect(await alive(sessionId)).toBe(true);
  });

  it('does nothing for who has not proved that the request is his', async () => {
    const { tokenHash, sessionId } = await signIn(await signUp(lab()));
    const asked: string[] = [];
    const isProven = (id: string): boolean => { asked.push(id); return false; };
    const exchange = { nextHash: aHash(), nextExpiresAt: inAnHour(), isProven };
    expect(await accounts().rotate({ tokenHash, ...exchange })).toEqual({ outcome: 'unproven' });
    expect(await accounts().rotate({ tokenHash: aHash(), ...exchange })).toEqual({ outcome: 'invalid' });
    expect(asked).toEqual([sessionId]);
    expect((await rotate(tokenHash)).outcome).toBe('rotated');
  });

  it('takes a token seen twice for stolen: every session of its user ends, nobody else\'s', async () => {
    const [user, another] = [await signUp(lab()), await signUp(lab())];
    const [stolen, elsewhere, stranger] = [await signIn(user), await signIn(user), await signIn(another)];
    const next = aHash();
    await rotate(stolen.tokenHash, next);
    expect(await rotate(stolen.tokenHash)).toEqual({
      outcome: 'reused',
      userId: user.userId,
      organizationId: user.organizationId,
    });
    expect(await Promise.all([stolen, elsewhere, stranger].map(({ sessionId }) => alive(sessionId)))).toEqual([
      false,
      false,
      true,
    ]);
    expect([await rotate(next), await rotate(elsewhere.tokenHash)]).toEqual([{ outcome: 'invalid' }, { outcome: 'invalid' }]);
    expect((await rotate(stranger.tokenHash)).outcome).toBe('rotated');
  });

  /**
   * Two exchanges of one token that overlap. Started together, the second may still find that of the first committed, on a busy
   * machine: that is a used token, and another pair of a new user is tried.
   */
  const exchangeTwice = async (nextHashes: () => [string, string]) => {
    for (let tries = 0; tries < 20; tries += 1) {
      const user = await signUp(lab());
      const { tokenHash, sessionId } = await signIn(user);
      const [first, second] = nextHashes();
      // Both stores have a connection by now: neither begins later than the other for having to open one.
      await Promise.all([accounts(), lab().other.accounts].map((store) => store.sessionActor(sessionId)));
      const answers = await Promise.all([rotate(tokenHash, first), rotate(tokenHash, second, lab().other.accounts)]);
      if (answers.every(({ outcome }) => outcome !== 'reused')) return { user, tokenHash, sessionId, next: first, answers };
    }
    throw new Error('no two exchanges overlapped');
  };

  it('gives two who ask at once the same successor; who asks after them has a used token', async () => {
    const same = aHash();
    let pairs = 0;
    const { user, tokenHash, sessionId, next, answers } = await exchangeTwice(() => {
      pairs += 1;
      return [`${same}${pairs}`, `${same}${pairs}`];
    });
    const rotated = { outcome: 'rotated', sessionId, userId: user.userId, organizationId: user.organizationId };
    expect(answers).toEqual([rotated, rotated]);
    const after = aHash();
    expect(await rotate(next, after)).toEqual(rotated);
    expect((await rotate(tokenHash, next)).outcome).toBe('reused');
    expect(await rotate(after)).toEqual({ outcome: 'invalid' });
  });

  it('gives nothing to one of two who ask at once for different successors, and takes nobody for a thief', async () => {
    const { sessionId, answers } = await exchangeTwice(() => [aHash(), aHash()]);
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['invalid', 'rotated']);
    expect(await alive(sessionId)).toBe(true);
  });

  it('refuses unknown, expired and ended tokens, as often as they are shown: that is no theft', async () => {
    const user = await signUp(lab());
    const [expired, ended, current] = [await signIn(user, anHourAgo()), await signIn(user), await signIn(user)];
    await accounts().endSession(ended.tokenHash);
    for (const tokenHash of [expired.tokenHash, ended.tokenHash, aHash()]) {
      expect(await rotate(tokenHash)).toEqual({ outcome: 'invalid' });
      expect(await rotate(tokenHash)).toEqual({ outcome: 'invalid' });
    }
    expect(await alive(current.sessionId)).toBe(true);
    expect((await rotate(current.tokenHash)).outcome).toBe('rotated');
  });

  it('ends the session of a token, an exchanged one too, or of an id; others go on', async () => {
    const user = await signUp(lab());
    const [byToken, byId, other] = [await signIn(user), await signIn(user), await signIn(user)];
    await rotate(byToken.tokenHash);
    await accounts().endSession(byToken.tokenHash);
    await accounts().endSession(aHash());
    await accounts().endSessionById(byId.sessionId);
    await accounts().endSessionById(byId.sessionId);
    await accounts().endSessionById(randomUUID());
    expect(await Promise.all([byToken, byId, other].map(({ sessionId }) => alive(sessionId)))).toEqual([false, false, true]);
    expect(await rotate(byId.tokenHash)).toEqual({ outcome: 'invalid' });
  });

  it('sweeps tokens that expired long ago, and sessions left without any', async () => {
    const user = await signUp(lab());
    const [old, current] = [await signIn(user, anHourAgo()), await signIn(user)];
    await accounts().sweepSessions(new Date(Date.now() - 2 * 3_600_000));
    expect(await alive(old.sessionId)).toBe(true);
    await accounts().sweepSessions(new Date());
    expect([await alive(old.sessionId), await alive(current.sessionId)]).toEqual([false, true]);
    expect(await rotate(old.tokenHash)).toEqual({ outcome: 'invalid' });
    expect((await rotate(current.tokenHash)).outcome).toBe('rotated');
  });
}
