import { randomUUID } from 'node:crypto';
import type { ForeignSignIn } from '../../config-store';
import { anAddress, aSession, type ConfigStoreLab, ok, signUp } from './config-store-lab';

/** Which account somebody is who signs in elsewhere. */
export function configIdentityTests(lab: () => ConfigStoreLab): void {
  const aSignIn = (over: Partial<ForeignSignIn> = {}): ForeignSignIn => {
    const email = over.verifiedEmail ?? anAddress();
    return {
      issuer: 'https://issuer.example', subject: randomUUID(), verifiedEmail: email, name: 'Ada', organizationName: 'Ada',
      trialKeys: { company: null, address: `address:${email}` }, trialMs: 60_000, ...over,
    };
  };
  const resolve = (signIn: ForeignSignIn) => lab().store.identities.resolve(signIn);
  const tierOf = async (id: string) => (await lab().other.organizations.get(id))!.tier;

  it('a new person gets a verified account without a password, and an organization on the trial', async () => {
    const signIn = aSignIn();
    const { created, user } = ok(await resolve(signIn));
    expect([created, user]).toMatchObject([true, { email: signIn.verifiedEmail, name: 'Ada', verified: true, passwordHash: '' }]);
    expect(user.organizationIds).toHaveLength(1);
    expect(await tierOf(user.organizationIds[0]!)).toBe('trial');
    const other = aSignIn({ trialKeys: signIn.trialKeys });
    expect(await tierOf(ok(await resolve(other)).user.organizationIds[0]!)).toBe('free');
  });

  it('issuer and subject name the account, whatever became of the address', async () => {
    const signIn = aSignIn();
    const { user } = ok(await resolve(signIn));
    const again = ok(await lab().other.identities.resolve({ ...signIn, verifiedEmail: anAddress() }));
    expect([again.created, again.user.id, again.user.email]).toEqual([false, user.id, user.email]);
    expect(ok(await resolve({ ...signIn, verifiedEmail: null })).user.id).toBe(user.id);
    expect(ok(await resolve(aSignIn({ subject: signIn.subject, issuer: 'https://other.example' }))).user.id).not.toBe(user.id);
  });

  it('without an address that the issuer vouches for there is no account', async () => {
    expect(await resolve(aSignIn({ verifiedEmail: null }))).toEqual({ ok: false, reason: 'not_vouched_for' });
  });

  it('a verified account of the address is linked', async () => {
    const { userId, email } = await signUp(lab(), { verified: true });
    const signIn = aSignIn({ verifiedEmail: email });
    expect(ok(await resolve(signIn))).toMatchObject({ created: false, user: { id: userId } });
    expect(ok(await resolve({ ...signIn, verifiedEmail: null })).user.id).toBe(userId);
  });

  it('an unverified account loses the address, and its sessions', async () => {
    const squatter = await signUp(lab());
    const sessionId = await lab().store.accounts.openSession({ ...aSession(), ...squatter });
    const { created, user } = ok(await resolve(aSignIn({ verifiedEmail: squatter.email })));
    expect([created, user.id === squatter.userId]).toEqual([true, false]);
    expect(await lab().other.accounts.sessionActor(sessionId)).toBeNull();
    expect((await lab().other.accounts.userById(squatter.userId))!.email).not.toBe(squatter.email);
  });

  it('two sign-ins at the same moment are one account', async () => {
    const signIn = aSignIn();
    const both = await Promise.all([resolve(signIn), lab().other.identities.resolve(signIn)]);
    expect(new Set(both.map((answer) => ok(answer).user.id)).size).toBe(1);
  });
}
