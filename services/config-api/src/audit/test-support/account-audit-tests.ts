import { Secret, TOTP } from 'otpauth';
import { password } from '../../test-support/lab';
import { lab } from '../../test-support/shared-lab';
import { logOf, shown, told } from './audit-lab';

/** What the audit log says of organizations, members and accounts. */
export function accountAuditTests(): void {
  test('each change of an organization, its members and accounts is logged', async () => {
    const owner = await lab.owner();
    const at = `/api/orgs/${owner.organizationId}`;
    await owner.patch(at, { name: 'Other' }).expect(200);
    await owner.post(`${at}/close`, { password }).expect(200);
    await owner.post(`${at}/reopen`).expect(200);
    const invited = (await owner.post(`${at}/invitations`, { email: 'one@audit.example', role: 'member' }).expect(201)).body;
    await owner.delete(`${at}/invitations/${invited.id}`).expect(204);
    const again = (await owner.post(`${at}/invitations`, { email: 'two@audit.example', role: 'member' }).expect(201)).body;
    const token = await lab.tokenTo('two@audit.example');
    const joined = (await lab.api().post(`/api/invitations/${token}/accept`).send({ name: 'Two', password }).expect(200)).body;
    await owner.patch(`${at}/members/${joined.user_id}`, { role: 'owner' }).expect(200);
    await owner.delete(`${at}/members/${joined.user_id}`).expect(204);
    await owner.patch('/api/me', { name: 'Ada' }).expect(200);
    const second = (await owner.post('/api/orgs', { name: 'Second' }).expect(201)).body;
    const there = (await owner.put('/api/me/active-organization', { organization_id: second.id }).expect(200)).body;

    const entries = (await logOf({ ...owner, ...lab.as(there.access_token), organizationId: second.id })).map(shown);
    const session = expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown;
    const mine = `user ${owner.email}`;
    expect(entries).toEqual([
      [mine, 'organization.create', 'organization', second.id, 'done'], [mine, 'session.update', 'session', session, 'done'],
    ]);
    await lab.as(there.access_token).put('/api/me/active-organization', { organization_id: owner.organizationId }).expect(200);
    const before = (await logOf(owner)).map(shown);
    const org = owner.organizationId;
    expect(before.slice(2)).toEqual([
      [mine, 'organization.update', 'organization', org, 'done'], [mine, 'organization.close', 'organization', org, 'done'],
      [mine, 'organization.reopen', 'organization', org, 'done'], [mine, 'invitation.create', 'invitation', invited.id, 'done'],
      [mine, 'invitation.revoke', 'invitation', invited.id, 'done'], [mine, 'invitation.create', 'invitation', again.id, 'done'],
      ['user two@audit.example', 'invitation.accept', 'invitation', again.id, 'done'],
      [mine, 'member.update', 'user', joined.user_id, 'done'], [mine, 'member.remove', 'user', joined.user_id, 'done'],
      [mine, 'account.update', 'user', owner.userId, 'done'], [mine, 'session.update', 'session', session, 'done'],
    ]);
    for (const [, action] of before) told.add(action as string);
  });

  test('a sign-in is logged in every organization of the account, a wrong one too', async () => {
    const [owner, other] = [await lab.owner(), await lab.owner()];
    await lab.member(other.organizationId, owner.userId);
    await lab.api().post('/api/auth/login').send({ email: owner.email, password }).expect(200);
    await lab.api().post('/api/auth/login').send({ email: owner.email, password: 'not the password' }).expect(401);
    const mine = `user ${owner.email}`;
    const session = expect.any(String) as unknown;
    for (const reader of [owner, other]) {
      const ofAda = (await logOf(reader)).map(shown).filter(
        ([actor, action]) => actor === mine && action === 'session.create',
      ).slice(-2);
      expect(ofAda).toEqual([[mine, 'session.create', 'session', session, 'done'],
        [mine, 'session.create', 'session', null, 'refused']]);
    }
  });

  test('an address that is verified is logged', async () => {
    const ada = await lab.signUp('ada@audit.example');
    await lab.api().post('/api/auth/verify-email').send({ token: await lab.tokenTo(ada.email) }).expect(204);
    expect((await logOf(ada)).map(shown).at(-1)).toEqual([`user ${ada.email}`, 'account.verify_email', 'user', ada.userId,
      'done']);
    told.add('account.verify_email');
  });

  test('passwords, addresses and sessions: each change is logged, and what an operator does with an account', async () => {
    const ada = await lab.owner();
    const [better, address] = ['purple giraffe on stilts', `new.${ada.email}`];
    await ada.post('/api/me/password', { current_password: 'not the password', new_password: better }).expect(401);
    await ada.post('/api/me/password', { current_password: password, new_password: better }).expect(204);
    await ada.post('/api/me/email', { new_email: address, password: better }).expect(202);
    await ada.post('/api/me/email/confirm', { token: await lab.tokenTo(address) }).expect(204);
    const other = await lab.api().post('/api/auth/login').send({ email: address, password: better }).expect(200);
    const [{ id: session }] = (await lab.as(other.body.access_token).get('/api/me/sessions').expect(200)).body.items;
    await ada.delete(`/api/me/sessions/${session}`).expect(204);
    await lab.operator.get(`/operator/users?email=${address}`).expect(200);
    await lab.operator.patch(`/operator/users/${ada.userId}`, { deactivated: false }).expect(200);
    await lab.api().post('/api/auth/password-reset').send({ email: address }).expect(202);
    const reset = { token: await lab.tokenTo(address), new_password: password };
    await lab.api().post('/api/auth/password-reset/confirm').send(reset).expect(204);
    const login = await lab.api().post('/api/auth/login').send({ email: address, password }).expect(200);
    const again = { ...lab.as(login.body.access_token), organizationId: ada.organizationId };
    await again.post(`/api/orgs/${ada.organizationId}/close`, { password }).expect(200);

    const entries = (await logOf(again)).map(shown).slice(2);
    const [before, after, user] = [`user ${ada.email}`, `user ${address}`, ada.userId];
    expect(entries).toEqual([
      [before, 'account.change_password', 'user', user, 'refused'], [before, 'account.change_password', 'user', user, 'done'],
      [before, 'account.change_email', 'user', user, 'done'], [before, 'account.change_email', 'user', user, 'done'],
      [after, 'session.create', 'session', session, 'done'], [after, 'session.revoke', 'session', session, 'done'],
      ['operator operator', 'account.read', 'user', user, 'done'], [
        'operator operator', 'account.deactivate', 'user', user, 'done',
      ],
      ['operator operator', 'outbox.read', 'user', user, 'done'], [after, 'account.reset_password', 'user', user, 'done'],
      [after, 'session.create', 'session', expect.any(String), 'done'],
      [after, 'organization.close', 'organization', ada.organizationId, 'done'],
    ]);
    for (const [, action] of entries) told.add(action as string);
  });

  test('a second factor: each change, and the second step of a sign-in, a wrong one too', async () => {
    const ada = await lab.owner();
    const { secret } = (await ada.post('/api/me/mfa/enroll').expect(200)).body;
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: lab.kv.now });
    const { recovery_codes: codes } = (await ada.post('/api/me/mfa/confirm', { code }).expect(200)).body;
    const { mfa_token } = (await lab.api().post('/api/auth/login').send({ email: ada.email, password }).expect(200)).body;
    await lab.api().post('/api/auth/login/mfa').send({ mfa_token, code: 'wrong' }).expect(401);
    await lab.api().post('/api/auth/login/mfa').send({ mfa_token, code: codes[0] }).expect(200);
    const fresh = (await ada.post('/api/me/mfa/recovery-codes', { password, code: codes[1] }).expect(200)).body.recovery_codes;
    await ada.post('/api/me/mfa/disable', { password, code: fresh[0] }).expect(204);
    const [mine, user] = [`user ${ada.email}`, ada.userId];
    const entries = (await logOf(ada)).map(shown).slice(2);
    expect(entries).toEqual([
      [mine, 'mfa.enroll', 'user', user, 'done'], [mine, 'mfa.enable', 'user', user, 'done'],
      [mine, 'session.create', 'session', null, 'refused'], [mine, 'session.create', 'session', expect.any(String), 'done'],
      [mine, 'mfa.recovery_codes', 'user', user, 'done'], [mine, 'mfa.disable', 'user', user, 'done'],
    ]);
    for (const [, action] of entries) told.add(action as string);
  });

  test('a deleted account is logged in its organizations', async () => {
    const owner = await lab.owner();
    const leaver = await lab.owner();
    await lab.member(owner.organizationId, leaver.userId);
    await leaver.post(`/api/orgs/${leaver.organizationId}/close`, { password }).expect(200);
    await leaver.delete('/api/me', { password }).expect(204);
    expect((await logOf(owner)).map(shown).at(-1)).toEqual(
      [`user ${leaver.email}`, 'account.delete', 'user', leaver.userId, 'done'],
    );
    told.add('account.delete');
  });

  test('what is refused of an invitation is logged where it leads', async () => {
    const [owner, stranger] = [await lab.owner(), await lab.owner()];
    const guest = await lab.owner();
    await owner.post(`/api/orgs/${owner.organizationId}/invitations`, { email: guest.email, role: 'member' }).expect(201);
    const token = await lab.tokenTo(guest.email);
    await stranger.post(`/api/invitations/${token}/accept`).expect(403);
    const [refused] = (await logOf(owner)).slice(-1);
    expect(refused).toMatchObject({
      action: 'invitation.accept', outcome: 'refused', reason: 'invitation_for_other_account', actor: { id: stranger.userId },
    });
    expect((await logOf(stranger)).map(({ action }) => action)).not.toContain('invitation.accept');
  });
}
