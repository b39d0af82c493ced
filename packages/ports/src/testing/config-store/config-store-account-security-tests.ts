import { randomUUID } from 'node:crypto';
import { mostWrongCodes, type NewSession } from '../../config-store';
import {
  aHash, aMail, aMailToken, anAddress, aSession, type ConfigStoreLab, everything, inAnHour, ok, signUp,
} from './config-store-lab';

/** Passwords, resets, changes of address, the list of sessions, and the end of an account. */
export function configAccountSecurityTests(lab: () => ConfigStoreLab): void {
  const accounts = () => lab().store.accounts;
  const tokens = () => lab().store.mailTokens;
  type User = Awaited<ReturnType<typeof signUp>>;
  const trialKeysOf = (email: string) => ({ company: null, address: `address:${email}` });
  const signIn = async (user: User, over: Partial<NewSession> = {}) => {
    const session = aSession(over);
    const { userId, organizationId } = user;
    return { ...session, sessionId: await accounts().openSession({ ...session, userId, organizationId }) };
  };
  const alive = async (sessionId: string): Promise<boolean> => (await lab().other.accounts.sessionActor(sessionId)) !== null;
  const rotate = (tokenHash: string, nextExpiresAt = inAnHour()) => accounts().rotate(
    { tokenHash, nextHash: aHash(), nextExpiresAt, isProven: () => true },
  );
  const passwordOf = async ({ userId }: User) => (await lab().other.accounts.userById(userId))?.passwordHash;
  const mailsTo = async (email: string) => (await lab().store.mails.list(email, 10)).map(({ id }) => id);

  describe('sessions', () => {
    it('are listed with where they come from, newest first, until they end', async () => {
      const user = await signUp(lab());
      const [first, second] = [await signIn(user), await signIn(user, { ip: null, userAgent: null })];
      await signIn(await signUp(lab()));
      const row = { createdAt: expect.any(Date), lastUsedAt: expect.any(Date) };
      expect(await accounts().sessions(user.userId, everything)).toEqual({
        items: [
          { id: second.sessionId, ip: null, userAgent: null, ...row },
          { id: first.sessionId, ip: '192.0.2.7', userAgent: 'a browser', ...row },
        ],
        total: 2,
      });
      await accounts().endSession(second.tokenHash);
      const { items } = await accounts().sessions(user.userId, everything);
      expect(items.map(({ id }) => id)).toEqual([first.sessionId]);
      expect((await accounts().sessions(randomUUID(), everything)).total).toBe(0);
    });

    it('are ended by their own account alone', async () => {
      const [user, stranger] = [await signUp(lab()), await signUp(lab())];
      const { sessionId } = await signIn(user);
      expect(await accounts().endSessionOf(stranger.userId, sessionId)).toBe(false);
      expect(await accounts().endSessionOf(user.userId, 'nothing')).toBe(false);
      expect(await accounts().endSessionOf(user.userId, sessionId)).toBe(true);
      expect(await accounts().endSessionOf(user.userId, sessionId)).toBe(false);
      expect(await alive(sessionId)).toBe(false);
    });

    it('end at their time however often they are refreshed', async () => {
      const user = await signUp(lab());
      const [over, short] = [await signIn(user, { lifetimeMs: -1 }), await signIn(user, { lifetimeMs: 3_000_000 })];
      expect([await alive(over.sessionId), await rotate(over.tokenHash)]).toEqual([false, { outcome: 'invalid' }]);
      expect((await accounts().sessions(user.userId, everything)).items.map(({ id }) => id)).toEqual([short.sessionId]);
      const nextHash = aHash();
      const nextExpiresAt = new Date(Date.now() + 86_400_000);
      expect(
        (await accounts().rotate({ tokenHash: short.tokenHash, nextHash, nextExpiresAt, isProven: () => true })).outcome,
      ).toBe('rotated');
      await accounts().sweepSessions(new Date(Date.now() + 3_600_000));
      expect(await accounts().sessionOfToken(nextHash)).toBeNull();
      expect(await alive(short.sessionId)).toBe(false);
    });

    it('are found by their tokens, used ones too', async () => {
      const { tokenHash, sessionId } = await signIn(await signUp(lab()));
      await rotate(tokenHash);
      expect([await accounts().sessionOfToken(tokenHash), await accounts().sessionOfToken(aHash())]).toEqual([sessionId, null]);
    });
  });

  describe('passwords', () => {
    it('are changed: the other sessions and links that reset it end', async () => {
      const [user, stranger] = [await signUp(lab()), await signUp(lab())];
      const [mine, other, theirs] = [await signIn(user), await signIn(user), await signIn(stranger)];
      const reset = aMailToken(user.email);
      await tokens().requestReset(user.email, reset);
      const { userId } = user;
      expect(await accounts().changePassword({ userId, passwordHash: 'new', sessionId: mine.sessionId })).toBe(true);
      expect(await passwordOf(user)).toBe('new');
      const standing = await Promise.all([mine, other, theirs].map(({ sessionId }) => alive(sessionId)));
      expect(standing).toEqual([true, false, true]);
      expect(await tokens().findReset(reset.tokenHash)).toEqual({ ok: false, reason: 'token_invalid' });
      for (const nobody of [randomUUID(), 'nobody'])
        expect(await accounts().changePassword({ userId: nobody, passwordHash: 'x', sessionId: mine.sessionId })).toBe(false);
    });

    it('are reset by the newest link, once: every session ends and the address is verified', async () => {
      const user = await signUp(lab());
      const { sessionId } = await signIn(user);
      const [older, newer] = [aMailToken(user.email), aMailToken(user.email)];
      for (const token of [older, newer]) await tokens().requestReset(user.email, token);
      expect(await mailsTo(user.email)).toEqual([newer.mail.id, older.mail.id]);
      expect(await tokens().findReset(older.tokenHash)).toEqual({ ok: false, reason: 'token_invalid' });
      const found = ok(await tokens().findReset(newer.tokenHash));
      expect(found).toMatchObject({ user: { id: user.userId, passwordHash: 'hash' }, organizationName: 'Shop' });
      expect(await passwordOf(user)).toBe('hash');
      const reset = { tokenHash: newer.tokenHash, passwordHash: 'new', trialKeysOf };
      const answers = await Promise.all([tokens(), lab().other.mailTokens].map((store) => store.reset(reset)));
      expect(answers.map((answer) => answer.ok).sort()).toEqual([false, true]);
      expect(answers).toContainEqual({ ok: false, reason: 'token_consumed' });
      expect(await lab().other.accounts.userById(user.userId)).toMatchObject({ passwordHash: 'new', verified: true });
      expect(await alive(sessionId)).toBe(false);
    });

    it('are not reset by other tokens, after their time, or once the address has changed', async () => {
      const user = await signUp(lab());
      const verification = aMailToken(user.email);
      await tokens().requestVerification(user.email, verification);
      const reset = (tokenHash: string) => tokens().reset({ tokenHash, passwordHash: 'new', trialKeysOf });
      expect(await reset(verification.tokenHash)).toEqual({ ok: false, reason: 'token_invalid' });
      expect(await reset(aHash())).toEqual({ ok: false, reason: 'token_invalid' });
      const late = aMailToken(user.email, { ttlMs: -1 });
      await tokens().requestReset(user.email, late);
      expect(await reset(late.tokenHash)).toEqual({ ok: false, reason: 'token_expired' });
      const before = aMailToken(user.email);
      await tokens().requestReset(user.email, before);
      await changed(user);
      expect(await reset(before.tokenHash)).toEqual({ ok: false, reason: 'token_invalid' });
      expect(await passwordOf(user)).toBe('hash');
    });

    it('are not reset where there is no account: nothing is sent', async () => {
      const [nobody, closed] = [anAddress(), await signUp(lab())];
      await accounts().setDeactivated(closed.userId, true);
      for (const email of [nobody, closed.email]) {
        const token = aMailToken(email);
        await tokens().requestReset(email, token);
        expect([await mailsTo(email), await tokens().findReset(token.tokenHash)]).toEqual([[], { ok: false, reason: 'token_invalid' }]);
      }
    });
  });

  const askFor = async ({ userId, email }: User, newEmail = anAddress(), ttlMs = 3_600_000) => {
    const token = aMailToken(newEmail, { ttlMs, mail: aMail(newEmail, { kind: 'change_email' }) });
    const notice = aMail(email, { kind: 'change_email_notice' });
    const codeHash = aHash();
    const answer = await tokens().requestEmailChange({ userId, newEmail, token, codeHash, notice });
    return { token, notice, codeHash, newEmail, answer };
  };
  const notices: string[] = [];
  const noticeOf = ({ from, to }: { from: string; to: string }) => {
    notices.push(`${from} ${to}`);
    return aMail(from, { kind: 'email_changed' });
  };
  const confirm = (
    { userId }: User, proof: Parameters<ReturnType<typeof tokens>['confirmEmailChange']>[0]['proof'], store = tokens(),
  ) =>
    store.confirmEmailChange({ userId, proof, noticeOf });
  const changed = async (user: User) => {
    const { token, newEmail } = await askFor(user);
    ok(await confirm(user, { tokenHash: token.tokenHash }));
    return newEmail;
  };

  describe('addresses', () => {
    it('change once they are confirmed by the link; the old one is told', async () => {
      const user = await signUp(lab());
      const { token, notice, newEmail, answer } = await askFor(user);
      expect(answer).toEqual({ ok: true });
      expect([await mailsTo(newEmail), await mailsTo(user.email)]).toEqual([[token.mail.id], [notice.id]]);
      expect((await accounts().userById(user.userId))?.email).toBe(user.email);
      const proof = { tokenHash: token.tokenHash };
      const answers = await Promise.all([tokens(), lab().other.mailTokens].map((store) => confirm(user, proof, store)));
      expect(answers.map(({ ok: done }) => done).sort()).toEqual([false, true]);
      expect(answers).toContainEqual({ ok: false, reason: 'no_pending_change' });
      expect(await lab().other.accounts.userByEmail(newEmail)).toMatchObject({ id: user.userId, verified: true });
      expect(await accounts().userByEmail(user.email)).toBeNull();
      expect(notices.at(-1)).toBe(`${user.email} ${newEmail}`);
      expect(await mailsTo(user.email)).toHaveLength(2);
    });

    it('change by the code, which takes five wrong ones; the link stays good after them', async () => {
      const [user, other] = [await signUp(lab()), await signUp(lab())];
      const { codeHash } = await askFor(user);
      expect(await confirm(user, { codeHashes: [aHash(), codeHash] })).toEqual({ ok: true });
      const { token, codeHash: right } = await askFor(other);
      for (let count = 0; count < mostWrongCodes; count += 1)
        expect(await confirm(other, { codeHashes: [aHash()] })).toEqual({ ok: false, reason: 'code_invalid' });
      expect(await confirm(other, { codeHashes: [right] })).toMatchObject({ ok: false, reason: 'code_attempts_exhausted' });
      expect(await confirm(other, { tokenHash: token.tokenHash })).toEqual({ ok: true });
    });

    it('count wrong codes that come at the same moment', async () => {
      const user = await signUp(lab());
      const { codeHash } = await askFor(user);
      const guesses = Array.from({ length: 2 * mostWrongCodes }, () => confirm(user, { codeHashes: [aHash()] }));
      const reasons = (await Promise.all(guesses)).map((answer) => (answer.ok ? 'ok' : answer.reason));
      expect(reasons.filter((reason) => reason === 'code_invalid')).toHaveLength(mostWrongCodes);
      const last = await confirm(user, { codeHashes: [codeHash] });
      expect(last).toEqual({ ok: false, reason: 'code_attempts_exhausted', waitMs: expect.any(Number) });
      expect((last as { waitMs: number }).waitMs).toBeGreaterThan(0);
    });

    it('have one change at a time: a second request replaces the first', async () => {
      const user = await signUp(lab());
      const [first, second] = [await askFor(user), await askFor(user)];
      expect(await confirm(user, { tokenHash: first.token.tokenHash })).toEqual({ ok: false, reason: 'token_invalid' });
      expect(await confirm(user, { codeHashes: [first.codeHash] })).toEqual({ ok: false, reason: 'code_invalid' });
      expect(await confirm(user, { tokenHash: second.token.tokenHash })).toEqual({ ok: true });
    });

    it('are not changed without a request, by another account, after its time, or to one that is taken', async () => {
      const [user, other] = [await signUp(lab()), await signUp(lab())];
      expect(await confirm(user, { tokenHash: aHash() })).toEqual({ ok: false, reason: 'no_pending_change' });
      expect((await askFor(user, user.email)).answer).toEqual({ ok: false, reason: 'same_email' });
      expect((await askFor(user, other.email)).answer).toEqual({ ok: false, reason: 'email_taken' });
      const late = await askFor(user, anAddress(), -1);
      expect(await confirm(user, { tokenHash: late.token.tokenHash })).toEqual({ ok: false, reason: 'token_expired' });
      expect(await confirm(user, { codeHashes: [late.codeHash] })).toEqual({ ok: false, reason: 'code_expired' });
      const { token, newEmail } = await askFor(user);
      expect(await confirm(other, { tokenHash: token.tokenHash })).toEqual({ ok: false, reason: 'no_pending_change' });
      await signUp(lab(), { email: newEmail });
      expect(await confirm(user, { tokenHash: token.tokenHash })).toEqual({ ok: false, reason: 'email_taken' });
    });
  });

  describe('accounts', () => {
    it('are closed by an operator, and opened again', async () => {
      const user = await signUp(lab());
      const { tokenHash, sessionId } = await signIn(user);
      expect(await accounts().setDeactivated(user.userId, true)).toMatchObject({ id: user.userId, deactivated: true });
      expect(await lab().other.accounts.sessionActor(sessionId)).toMatchObject({ account: { deactivated: true } });
      expect(await rotate(tokenHash)).toEqual({ outcome: 'deactivated' });
      expect(await accounts().setDeactivated(user.userId, false)).toMatchObject({ deactivated: false });
      expect((await rotate(tokenHash)).outcome).toBe('rotated');
      expect([await accounts().setDeactivated(randomUUID(), true), await accounts().setDeactivated('x', true)]).toEqual(
        [null, null],
      );
    });

    it('are deleted with what is theirs; the address is free again, what they made stays', async () => {
      const [user, second] = [await signUp(lab()), await signUp(lab())];
      await lab().addMember(user.organizationId, second.userId, 'owner');
      const { sessionId, tokenHash } = await signIn(user);
      expect(await accounts().delete(user.userId)).toEqual({ ok: true });
      expect([await accounts().userById(user.userId), await alive(sessionId)]).toEqual([null, false]);
      expect(await rotate(tokenHash)).toEqual({ outcome: 'invalid' });
      expect((await lab().store.members.list(user.organizationId, everything)).items.map(({ userId }) => userId)).toEqual(
        [second.userId],
      );
      expect((await signUp(lab(), { email: user.email })).userId).not.toBe(user.userId);
    });

    it('are not deleted while they are the last owner of an organization that goes on', async () => {
      const user = await signUp(lab());
      const organizations = [{ id: user.organizationId, name: 'Shop' }];
      expect(await accounts().delete(user.userId)).toEqual({ ok: false, reason: 'last_owner', organizations });
      ok(await lab().store.organizations.close(user.organizationId, 3_600_000));
      expect(await accounts().delete(user.userId)).toEqual({ ok: true });
      expect(await lab().store.organizations.get(user.organizationId)).toMatchObject({ state: 'closing' });
    });

    it('leave one owner when two delete themselves at the same moment', async () => {
      const [user, second] = [await signUp(lab()), await signUp(lab())];
      await lab().addMember(user.organizationId, second.userId, 'owner');
      ok(await lab().store.organizations.close(second.organizationId, 3_600_000));
      const answers = await Promise.all([accounts().delete(user.userId), lab().other.accounts.delete(second.userId)]);
      expect(answers.map(({ ok: done }) => done).sort()).toEqual([false, true]);
      expect((await lab().store.members.list(user.organizationId, everything)).total).toBe(1);
    });

    it('give no trial back when they are deleted', async () => {
      const email = anAddress();
      const trial = { email, tier: 'trial', trialKeys: trialKeysOf(email), trialMs: 3_600_000 } as const;
      const user = await signUp(lab(), trial);
      ok(await lab().store.organizations.close(user.organizationId, 3_600_000));
      ok(await accounts().delete(user.userId));
      const again = await signUp(lab(), trial);
      expect(await lab().store.organizations.get(again.organizationId)).toMatchObject({ tier: 'free', trialBlocked: 'trial_already_used' });
    });
  });
}
