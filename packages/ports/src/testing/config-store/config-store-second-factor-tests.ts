import { mostWrongFactorCodes, type CodeProof } from '../../config-store';
import { aHash, aSession, type ConfigStoreLab, ok, signUp } from './config-store-lab';

const pendingMs = 600_000;
const lockMs = 900_000;

/** Second factors: enrollment, codes that are taken once, the lock after wrong ones, the second step of a sign-in. */
export function configSecondFactorTests(lab: () => ConfigStoreLab): void {
  const factors = () => lab().store.secondFactors;
  const proofOf = (sealed: string, over: Partial<CodeProof> = {}): CodeProof =>
    ({ sealed, step: 100, recoveryHashes: [], ...over });
  /** An account whose factor is on; step 100 is taken. */
  const enabled = async (recoveryHashes: string[] = []) => {
    const { userId, organizationId } = await signUp(lab());
    const sealed = `secret of ${userId}`;
    ok(await factors().enroll({ userId, sealed, pendingMs }));
    ok(await factors().confirm({ userId, proof: proofOf(sealed), lockMs, recoveryHashes }));
    const request = (over: Partial<CodeProof> = {}, lock = lockMs) => ({ userId, proof: proofOf(sealed, over), lockMs: lock });
    const wrong = (lock = lockMs) => factors().replaceRecoveryCodes({ ...request({ step: null }, lock), recoveryHashes: [] });
    const right = (step: number) => factors().replaceRecoveryCodes({ ...request({ step }), recoveryHashes: [] });
    return { userId, organizationId, sealed, request, wrong, right };
  };
  const mfaEnabled = async (userId: string) => (await lab().other.accounts.userById(userId))!.mfaEnabled;
  const refused = { ok: false, reason: 'code_wrong' };

  it('is enrolled, counts once it is confirmed, and is switched off', async () => {
    const { userId } = await signUp(lab());
    expect(await factors().find(userId, pendingMs)).toBeNull();
    expect(await factors().enroll({ userId, sealed: 'first', pendingMs })).toEqual({ ok: true });
    expect(await lab().other.secondFactors.find(userId, pendingMs)).toEqual({ sealed: 'first', enabled: false });
    expect(await factors().enroll({ userId, sealed: 'second', pendingMs })).toEqual(
      { ok: false, reason: 'enrollment_already_in_progress' },
    );
    expect(await factors().find(userId, -1)).toBeNull();
    expect(await factors().enroll({ userId, sealed: 'third', pendingMs: -1 })).toEqual({ ok: true });
    const confirm = (sealed: string) => factors().confirm({ userId, proof: proofOf(sealed), lockMs, recoveryHashes: [aHash()] });
    expect([await confirm('first'), await mfaEnabled(userId)]).toEqual([refused, false]);
    expect([await confirm('third'), await mfaEnabled(userId)]).toEqual([{ ok: true }, true]);
    expect(await factors().find(userId, -1)).toEqual({ sealed: 'third', enabled: true });
    expect(await factors().enroll({ userId, sealed: 'fourth', pendingMs: -1 })).toEqual(
      { ok: false, reason: 'mfa_already_enabled' },
    );
    expect(await factors().disable({ userId, proof: proofOf('third', { step: 101 }), lockMs })).toEqual({ ok: true });
    expect([await mfaEnabled(userId), await factors().find(userId, pendingMs)]).toEqual([false, null]);
    expect(await factors().enroll({ userId, sealed: 'fifth', pendingMs })).toEqual({ ok: true });
  });

  it('takes the code of a step once, whatever it was for, also by two at the same moment', async () => {
    const { right } = await enabled();
    expect(await right(100)).toEqual(refused);
    expect([await right(101), await right(99), await right(101), await right(99)]).toEqual(
      [{ ok: true }, { ok: true }, refused, refused],
    );
    const both = await Promise.all([right(102), right(102)]);
    expect(both.filter((answer) => answer.ok).length).toBe(1);
  });

  it('takes each recovery code once, and new ones end the old ones', async () => {
    const [first, second, third] = [aHash(), aHash(), aHash()];
    const { request } = await enabled([first, second]);
    const use = (...recoveryHashes: string[]) =>
      factors().replaceRecoveryCodes({ ...request({ step: null, recoveryHashes }), recoveryHashes: [second, third] });
    expect(await use(aHash(), first)).toEqual({ ok: true });
    expect(await use(first)).toEqual(refused);
    const both = await Promise.all([use(second), use(second)]);
    expect(both.filter((answer) => answer.ok).length).toBeGreaterThanOrEqual(1);
    expect(await factors().disable(request({ step: null, recoveryHashes: [third] }))).toEqual({ ok: true });
    expect(await use(third)).toEqual(refused);
  });

  it('takes none after too many wrong codes, until the lock has passed', async () => {
    const { wrong, right } = await enabled();
    for (let tried = 0; tried < mostWrongFactorCodes; tried += 1) expect(await wrong()).toEqual(refused);
    const locked = await right(101);
    expect(locked).toEqual({ ok: false, reason: 'code_locked', waitMs: expect.any(Number) });
    const { waitMs } = locked as { waitMs: number };
    expect(waitMs > lockMs - 60_000 && waitMs <= lockMs).toBe(true);
    expect(await wrong()).toMatchObject({ reason: 'code_locked' });
  });

  it('counts from the beginning after a right code, and after a lock', async () => {
    const { wrong, right } = await enabled();
    for (let tried = 1; tried < mostWrongFactorCodes; tried += 1) await wrong();
    expect(await right(101)).toEqual({ ok: true });
    for (let tried = 1; tried < mostWrongFactorCodes; tried += 1) expect(await wrong(-1)).toEqual(refused);
    expect(await wrong(-1)).toEqual(refused);
    expect([await wrong(), await right(102)]).toEqual([refused, { ok: true }]);
  });

  it('counts wrong codes that come at the same moment, and over a new enrollment', async () => {
    const { userId } = await signUp(lab());
    ok(await factors().enroll({ userId, sealed: 'one', pendingMs }));
    const confirm = (sealed: string, step: number | null) =>
      factors().confirm({ userId, proof: proofOf(sealed, { step }), lockMs, recoveryHashes: [] });
    await Promise.all(Array.from({ length: mostWrongFactorCodes }, () => confirm('one', null)));
    ok(await factors().enroll({ userId, sealed: 'two', pendingMs: -1 }));
    expect(await confirm('two', 100)).toMatchObject({ reason: 'code_locked' });
  });

  describe('the second step of a sign-in', () => {
    const challenge = async (userId: string, over: { ttlMs?: number; elsewhere?: boolean } = {}) => {
      const tokenHash = aHash();
      await factors().challenge({ userId, tokenHash, ttlMs: 300_000, elsewhere: false, ...over });
      return tokenHash;
    };

    it('opens a session, once', async () => {
      const { userId, organizationId, request } = await enabled();
      const tokenHash = await challenge(userId);
      expect(await lab().other.secondFactors.findChallenge(tokenHash)).toEqual({ ok: true, userId });
      const signIn = (step: number | null) => factors().signIn({ ...request({ step }), tokenHash, session: aSession() });
      expect(await signIn(null)).toEqual(refused);
      const opened = ok(await signIn(101));
      expect(opened).toMatchObject({ userId, organizationId });
      expect(await lab().other.accounts.sessionActor(opened.sessionId)).toMatchObject({ account: { id: userId } });
      expect(await signIn(102)).toEqual({ ok: false, reason: 'challenge_unknown' });
      expect(await factors().findChallenge(tokenHash)).toEqual({ ok: false, reason: 'challenge_unknown' });
    });

    it('is opened by one of two at the same moment', async () => {
      const { userId, request } = await enabled();
      const tokenHash = await challenge(userId);
      const both = await Promise.all([101, 102].map((step) =>
        factors().signIn({ ...request({ step }), tokenHash, session: aSession() })));
      expect(both.filter((answer) => answer.ok).length).toBe(1);
    });

    it('expires, is bound to its account, and is not for a closed one', async () => {
      const { userId, request } = await enabled();
      const other = await enabled();
      const signIn = (tokenHash: string, step: number) =>
        factors().signIn({ ...request({ step }), tokenHash, session: aSession() });
      const unknown = { ok: false, reason: 'challenge_unknown' };
      const expired = await challenge(userId, { ttlMs: -1 });
      expect([await factors().findChallenge(expired), await signIn(expired, 101)]).toEqual([unknown, unknown]);
      const elsewhere = await challenge(userId, { ttlMs: -1, elsewhere: true });
      expect(await signIn(elsewhere, 101)).toEqual({ ok: false, reason: 'expired_elsewhere' });
      expect(await signIn(await challenge(other.userId), 101)).toEqual(unknown);
      await lab().store.accounts.setDeactivated(userId, true);
      expect(await signIn(await challenge(userId), 101)).toEqual({ ok: false, reason: 'deactivated' });
      await factors().sweepChallenges(new Date());
      expect(await factors().findChallenge(elsewhere)).toEqual(unknown);
    });
  });
}
