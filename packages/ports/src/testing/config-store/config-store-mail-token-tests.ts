import { randomUUID } from 'node:crypto';
import { aHash, aMailToken, anAddress, anHourAgo, type ConfigStoreLab, signUp } from './config-store-lab';

/** Tokens that prove an address, and what a verified address means for the trial. */
export function configMailTokenTests(lab: () => ConfigStoreLab): void {
  const tokens = () => lab().store.mailTokens;
  const noTrial = (email: string) => ({ company: null, address: `address:${email}` });
  const verify = (tokenHash: string, over: Partial<Parameters<ReturnType<typeof tokens>['verify']>[0]> = {}, store = tokens()) =>
    store.verify({ tokenHash, sessionUserId: null, trialKeysOf: noTrial, ...over });
  const isVerified = async ({ userId }: { userId: string }) => (await lab().other.accounts.userById(userId))?.verified;
  const mailsTo = async (email: string) => (await lab().store.mails.list(email, 10)).map(({ id }) => id);
  const signUpWithToken = async (ttlMs = 3_600_000) => {
    const email = anAddress();
    const verification = aMailToken(email, { ttlMs });
    return { ...(await signUp(lab(), { email, verification })), tokenHash: verification.tokenHash };
  };

  it('verifies an address once', async () => {
    const user = await signUpWithToken();
    expect(await isVerified(user)).toBe(false);
    expect(await verify(user.tokenHash)).toEqual({ ok: true, userId: user.userId });
    expect(await isVerified(user)).toBe(true);
    expect(await verify(user.tokenHash)).toEqual({ ok: false, reason: 'token_consumed' });
  });

  it('lets one of two win who bring a token at the same moment', async () => {
    const user = await signUpWithToken();
    const answers = await Promise.all([tokens(), lab().other.mailTokens].map((store) => verify(user.tokenHash, {}, store)));
    expect(answers.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(answers).toContainEqual({ ok: false, reason: 'token_consumed' });
  });

  it('refuses unknown and expired tokens, and one of another account than the session, which stays good', async () => {
    const [user, late, other] = [await signUpWithToken(), await signUpWithToken(-1), await signUp(lab())];
    expect(await verify(aHash())).toEqual({ ok: false, reason: 'token_invalid' });
    expect(await verify(late.tokenHash)).toEqual({ ok: false, reason: 'token_expired' });
    expect(await verify(user.tokenHash, { sessionUserId: other.userId })).toEqual({ ok: false, reason: 'other_account' });
    expect([await isVerified(user), await isVerified(late), await isVerified(other)]).toEqual([false, false, false]);
    expect(await verify(user.tokenHash, { sessionUserId: user.userId })).toMatchObject({ ok: true });
  });

  it('sends a verification again: several tokens are good; none goes to unknown and verified addresses', async () => {
    const user = await signUpWithToken();
    const again = aMailToken(user.email);
    await tokens().requestVerification(user.email, again);
    expect(await mailsTo(user.email)).toHaveLength(2);
    expect(await verify(user.tokenHash)).toMatchObject({ ok: true });
    expect(await verify(again.tokenHash)).toMatchObject({ ok: true });
    const [unknown, verified] = [aMailToken(anAddress()), aMailToken(user.email)];
    await tokens().requestVerification(unknown.mail.to, unknown);
    await tokens().requestVerification(user.email, verified);
    expect([await mailsTo(unknown.mail.to), (await mailsTo(user.email)).length]).toEqual([[], 2]);
    for (const { tokenHash } of [unknown, verified]) expect(await verify(tokenHash)).toEqual(
      { ok: false, reason: 'token_invalid' },
    );
  });

  it('forgets tokens that expired long ago', async () => {
    const [old, current] = [await signUpWithToken(-1), await signUpWithToken()];
    expect(await tokens().sweep(anHourAgo())).toBe(0);
    expect(await tokens().sweep(new Date())).toBeGreaterThanOrEqual(1);
    expect(await verify(old.tokenHash)).toEqual({ ok: false, reason: 'token_invalid' });
    expect(await verify(current.tokenHash)).toMatchObject({ ok: true });
  });

  describe('and the trial of a mail domain', () => {
    const onTrial = async (company: string) => {
      const email = anAddress();
      const verification = aMailToken(email);
      const trialKeys = { company, address: `address:${email}` };
      const user = await signUp(lab(), { email, verification, tier: 'trial', trialKeys, trialMs: 3_600_000 });
      return { ...user, tokenHash: verification.tokenHash, trialKeysOf: () => trialKeys };
    };
    type OnTrial = Awaited<ReturnType<typeof onTrial>>;
    const settle = ({ tokenHash, trialKeysOf }: OnTrial, store = tokens()) => verify(tokenHash, { trialKeysOf }, store);
    const planOf = async ({ organizationId }: OnTrial) => {
      const organization = await lab().other.organizations.get(organizationId);
      return [organization?.tier, organization?.trialBlocked];
    };

    it('is used up by the first verified address; the organization of the next moves to free then', async () => {
      const company = `domain:${randomUUID()}`;
      const [first, second] = [await onTrial(company), await onTrial(company)];
      expect([await planOf(first), await planOf(second)]).toEqual([['trial', null], ['trial', null]]);
      await settle(second);
      await settle(first);
      expect([await planOf(first), await planOf(second)]).toEqual([['free', 'trial_already_used'], ['trial', null]]);
      expect(await planOf(await onTrial(company))).toEqual(['free', 'trial_already_used']);
    });

    it('goes to one of two who are verified at the same moment', async () => {
      const company = `domain:${randomUUID()}`;
      const pair = [await onTrial(company), await onTrial(company)];
      await Promise.all([settle(pair[0]!), settle(pair[1]!, lab().other.mailTokens)]);
      const plans = await Promise.all(pair.map(planOf));
      expect(plans.map(([tier]) => tier).sort()).toEqual(['free', 'trial']);
    });

    it('leaves a plan that is no trial any more', async () => {
      const company = `domain:${randomUUID()}`;
      const [first, second] = [await onTrial(company), await onTrial(company)];
      await settle(first);
      await lab().store.organizations.update(second.organizationId, { tier: 'pro' });
      await settle(second);
      expect(await planOf(second)).toEqual(['pro', 'trial_already_used']);
    });
  });
}
