import { randomUUID } from 'node:crypto';
import { inAuditScope } from '../../config-store/audit-scope';
import type { NewAccount } from '../../config-store';
import type { ConfigStoreLab } from './config-store-lab';
import { aHash, aMailToken, aSession, ok, sessionsOf, signUp } from './config-store-lab';

/** Users, sign-up, sessions. */
export function configAccountTests(lab: () => ConfigStoreLab): void {
  const accounts = () => lab().store.accounts;
  const onTrial = (company: string | null, over: Partial<NewAccount> = {}): NewAccount => {
    const email = over.email ?? `${randomUUID()}@shop.example`;
    const trialKeys = { company, address: `address:${email}` };
    return { email, passwordHash: 'hash', organizationName: 'Shop', tier: 'trial', trialKeys, trialMs: 3_600_000, ...over };
  };
  const organizationOf = async ({ organizationId }: { organizationId: string }) => lab().store.organizations.get(organizationId);
  const { signIn, rotate, alive } = sessionsOf(lab);

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
}
