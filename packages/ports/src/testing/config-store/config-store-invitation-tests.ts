import { randomUUID } from 'node:crypto';
import type { NewInvitation, Role } from '../../config-store';
import { aHash, aMail, anAddress, aSession, type ConfigStoreLab, everything, ok, signUp } from './config-store-lab';

/** Invitations: seats, one winner, and what ends them. */
export function configInvitationTests(lab: () => ConfigStoreLab): void {
  const invitations = () => lab().store.invitations;
  type Owner = Awaited<ReturnType<typeof signUp>>;
  const anInvitation = (owner: Owner, over: Partial<NewInvitation> = {}): NewInvitation => {
    const email = over.email ?? anAddress();
    const rest = { role: 'member' as Role, tokenHash: aHash(), ttlMs: 3_600_000, mail: aMail(email, { kind: 'invitation' }) };
    return { organizationId: owner.organizationId, invitedById: owner.userId, email, ...rest, ...over };
  };
  const invite = async (owner: Owner, over: Partial<NewInvitation> = {}) => {
    const invitation = anInvitation(owner, over);
    return { ...invitation, ...ok(await invitations().create(invitation)).invitation };
  };
  const newcomer = () => ({ name: 'Ada', passwordHash: 'hash', session: aSession() });
  const account = ({ userId }: { userId: string }) => ({ userId, trialKeys: { company: null, address: randomUUID() } });
  const usage = async ({ organizationId }: Owner) => (await lab().store.organizations.usage(organizationId)).seats;
  const standing = async (tokenHash: string) => (await lab().other.invitations.find(tokenHash))?.state ?? null;

  it('keeps an invitation with its mail; lists open ones, newest first', async () => {
    const owner = await signUp(lab());
    const [one, two] = [await invite(owner), await invite(owner, { role: 'owner' })];
    const invitedBy = { id: owner.userId, email: owner.email };
    const row = { createdAt: expect.any(Date), expiresAt: expect.any(Date), invitedBy };
    expect(await invitations().list(owner.organizationId, everything)).toEqual({
      items: [{ id: two.id, email: two.email, role: 'owner', ...row }, { id: one.id, email: one.email, role: 'member', ...row }],
      total: 2,
    });
    expect(one.expiresAt.getTime() - one.createdAt.getTime()).toBe(3_600_000);
    expect((await lab().store.mails.list(one.email, 10)).map(({ id }) => id)).toEqual([one.mail!.id]);
    const { id, email, role, organizationId } = one;
    const found = { id, state: 'open', organizationId, organizationName: 'Shop', email, role, userId: null };
    expect(await invitations().find(one.tokenHash)).toEqual(found);
    expect(
      (await invitations().find((await invite(owner, { email: (await signUp(lab())).email })).tokenHash))?.userId,
    ).not.toBeNull();
    expect(await invitations().find(aHash())).toBeNull();
  });

  it('replaces the open invitation of an address, which keeps its seat; without a mail it stays as it is', async () => {
    const owner = await signUp(lab(), { tier: 'starter' });
    const first = await invite(owner);
    const second = await invite(owner, { email: first.email, role: 'owner' });
    expect([await standing(first.tokenHash), await standing(second.tokenHash), await usage(owner)]).toEqual(
      ['revoked', 'open', 2],
    );
    const third = await invite(owner, { email: first.email, mail: null });
    expect([third.id, await standing(second.tokenHash), await standing(third.tokenHash)]).toEqual([second.id, 'open', null]);
    expect((await invitations().list(owner.organizationId, everything)).total).toBe(1);
  });

  it('refuses a member, and while the organization is closing', async () => {
    const [owner, guest] = [await signUp(lab()), await signUp(lab())];
    await lab().addMember(owner.organizationId, guest.userId, 'member');
    const refused = (email: string) => invitations().create(anInvitation(owner, { email }));
    expect(await refused(guest.email)).toEqual({ ok: false, reason: 'already_member' });
    expect(await refused(owner.email)).toEqual({ ok: false, reason: 'already_member' });
    const open = await invite(owner);
    await lab().store.organizations.close(owner.organizationId, 3_600_000);
    expect(await refused(anAddress())).toEqual({ ok: false, reason: 'organization_closing' });
    expect(await invitations().accept(open.tokenHash, newcomer())).toEqual({ ok: false, reason: 'organization_closing' });
    expect((await lab().store.mails.list(guest.email, 10))).toEqual([]);
  });

  it('counts members and open invitations as seats, when it invites and when it is accepted, also of two at once', async () => {
    const owner = await signUp(lab(), { tier: 'starter' });
    const [first] = [await invite(owner), await invite(owner), await invite(owner)];
    const pair = [lab().store, lab().other].map((store) => store.invitations.create(anInvitation(owner)));
    const answers = await Promise.all(pair);
    expect(answers.map((answer) => answer.ok).sort()).toEqual([false, true]);
    const refusal = { ok: false, reason: 'seat_limit_reached', limit: 5, usage: 5, organization: { tier: 'starter' } };
    expect(answers.find((answer) => !answer.ok)).toMatchObject(refusal);
    expect(await usage(owner)).toBe(5);
    await lab().store.organizations.update(owner.organizationId, { tier: 'free' });
    const accepted = await invitations().accept(first!.tokenHash, newcomer());
    expect(accepted).toMatchObject({ ok: false, reason: 'seat_limit_reached', limit: 1, usage: 4 });
    expect(await standing(first!.tokenHash)).toBe('open');
    await lab().store.organizations.update(owner.organizationId, { tier: 'starter' });
    ok(await invitations().accept(first!.tokenHash, newcomer()));
    expect(await usage(owner)).toBe(5);
  });

  it('makes an account of a newcomer: verified, a member, signed in', async () => {
    const owner = await signUp(lab());
    const { tokenHash, email } = await invite(owner, { role: 'owner' });
    const ada = newcomer();
    const { userId, sessionId, ...rest } = ok(await invitations().accept(tokenHash, ada));
    expect(rest).toEqual({ ok: true, organizationId: owner.organizationId, role: 'owner' });
    const user = {
      id: userId, email, name: 'Ada', verified: true, organizationIds: [owner.organizationId], passwordHash: 'hash',
    };
    expect(await lab().other.accounts.userByEmail(email)).toMatchObject(user);
    expect(await lab().store.accounts.sessionActor(sessionId!)).toMatchObject({ organization: { id: owner.organizationId }, role: 'owner' });
    expect(await standing(tokenHash)).toBe('accepted');
  });

  it('makes the account of the address a member and verifies it; no other account', async () => {
    const [owner, guest, stranger] = [await signUp(lab()), await signUp(lab()), await signUp(lab())];
    const { tokenHash } = await invite(owner, { email: guest.email });
    expect(await invitations().accept(tokenHash, account(stranger))).toEqual({ ok: false, reason: 'other_account' });
    expect(await invitations().accept(tokenHash, newcomer())).toEqual({ ok: false, reason: 'account_exists' });
    expect(await standing(tokenHash)).toBe('open');
    const { organizationId, userId } = { organizationId: owner.organizationId, userId: guest.userId };
    expect(await invitations().accept(tokenHash, account(guest))).toEqual({
      ok: true, organizationId, userId, role: 'member', sessionId: null,
    });
    expect(await lab().store.accounts.userById(userId)).toMatchObject({
      verified: true, organizationIds: [guest.organizationId, organizationId],
    });
  });

  it('is accepted once, also by two at the same moment', async () => {
    const owner = await signUp(lab());
    const { tokenHash } = await invite(owner);
    const answers = await Promise.all(
      [invitations(), lab().other.invitations].map((store) => store.accept(tokenHash, newcomer())),
    );
    expect(answers.map((answer) => answer.ok).sort()).toEqual([false, true]);
    expect(answers.find((answer) => !answer.ok)).toEqual({ ok: false, reason: 'accepted' });
    expect(await usage(owner)).toBe(2);
    expect(await invitations().accept(aHash(), newcomer())).toEqual({ ok: false, reason: 'not_found' });
  });

  it('ends by its time, by an owner, with its inviter, and with its organization', async () => {
    const [owner, second] = [await signUp(lab()), await signUp(lab())];
    await lab().addMember(owner.organizationId, second.userId, 'owner');
    const expired = await invite(owner, { ttlMs: -1 });
    const [revoked, orphan, closed] = [
      await invite(owner), await invite({ ...owner, userId: second.userId }), await invite(owner),
    ];
    expect(await invitations().revoke(owner.organizationId, revoked.id)).toBe(true);
    expect(await invitations().revoke(owner.organizationId, revoked.id)).toBe(false);
    expect(await invitations().revoke(second.organizationId, closed.id)).toBe(false);
    expect([await standing(expired.tokenHash), await standing(revoked.tokenHash)]).toEqual(['expired', 'revoked']);
    const refusalOf = async ({ tokenHash }: { tokenHash: string }) => {
      const answer = await invitations().accept(tokenHash, newcomer());
      return answer.ok ? 'accepted it' : answer.reason;
    };
    expect([await refusalOf(expired), await refusalOf(revoked)]).toEqual(['expired', 'revoked']);
    await lab().store.members.setRole(owner.organizationId, second.userId, 'member');
    expect(await refusalOf(orphan)).toBe('revoked');
    await lab().store.organizations.update(owner.organizationId, { state: 'closed' });
    expect([await standing(closed.tokenHash), await refusalOf(closed)]).toEqual(['revoked', 'revoked']);
    expect((await lab().store.mails.list(expired.email, 10))).toHaveLength(1);
  });

  it('is revoked or accepted, when both happen at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const owner = await signUp(lab());
      const { id, tokenHash } = await invite(owner);
      const [revoked, accepted] = await Promise.all([
        invitations().revoke(owner.organizationId, id), lab().other.invitations.accept(tokenHash, newcomer()),
      ]);
      expect([revoked, accepted.ok].sort()).toEqual([false, true]);
      expect(await usage(owner)).toBe(accepted.ok ? 2 : 1);
    }
  });
}
