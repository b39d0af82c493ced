import { randomUUID } from 'node:crypto';
import type { ConfigStoreLab } from './config-store-lab';
import { aHash, anHourAgo, inAnHour, sessionsOf, signUp } from './config-store-lab';

/** Refresh tokens and the ends of sessions. */
export function configSessionTests(lab: () => ConfigStoreLab): void {
  const accounts = () => lab().store.accounts;
  const { signIn, rotate, alive } = sessionsOf(lab);

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
