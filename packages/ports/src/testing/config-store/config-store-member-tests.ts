import { randomUUID } from 'node:crypto';
import type { ConfigStore } from '../../config-store';
import { aSession, type ConfigStoreLab, everything, signUp } from './config-store-lab';

/** Members and roles. */
export function configMemberTests(lab: () => ConfigStoreLab): void {
  const members = () => lab().store.members;
  const withMember = async (role: 'owner' | 'member' = 'member') => {
    const [owner, guest] = [await signUp(lab()), await signUp(lab())];
    await lab().addMember(owner.organizationId, guest.userId, role);
    return { owner, guest, organizationId: owner.organizationId };
  };
  const rolesOf = async (organizationId: string) =>
    Object.fromEntries((await members().list(organizationId, everything)).items.map(({ userId, role }) => [userId, role]));

  it('lists the members of an organization and the organizations of an account, oldest membership first', async () => {
    const { owner, guest, organizationId } = await withMember();
    const { items, total } = await members().list(organizationId, everything);
    const row = { name: null, mfaEnabled: false, joinedAt: expect.any(Date) };
    expect([items, total]).toEqual([[
      { userId: owner.userId, email: owner.email, role: 'owner', ...row },
      { userId: guest.userId, email: guest.email, role: 'member', ...row },
    ], 2]);
    expect((await members().list(organizationId, { limit: 1, offset: 1 })).items.map(({ userId }) => userId)).toEqual(
      [guest.userId],
    );
    const organization = { name: 'Shop', tier: 'enterprise', state: 'active' };
    expect(await lab().other.members.organizationsOf(guest.userId, everything)).toEqual({
      items: [
        { organizationId: guest.organizationId, role: 'owner', ...organization },
        { organizationId, role: 'member', ...organization },
      ],
      total: 2,
    });
    expect(await members().organizationsOf(randomUUID(), everything)).toEqual({ items: [], total: 0 });
  });

  it('answers the role of a member, null for everybody else', async () => {
    const { owner, guest, organizationId } = await withMember();
    const roleOf = (userId: string) => members().roleIn(organizationId, userId);
    expect([await roleOf(owner.userId), await roleOf(guest.userId), await roleOf(randomUUID()), await roleOf('nobody')]).toEqual([
      'owner', 'member', null, null,
    ]);
    expect(await members().roleIn('nothing', owner.userId)).toBeNull();
  });

  it('changes a role, not that of the last owner, nor that of nobody', async () => {
    const { owner, guest, organizationId } = await withMember();
    expect(await members().setRole(organizationId, owner.userId, 'member')).toEqual({ ok: false, reason: 'last_owner' });
    expect(await members().setRole(organizationId, owner.userId, 'owner')).toMatchObject({ ok: true });
    expect(await members().setRole(organizationId, guest.userId, 'owner')).toMatchObject({ ok: true, member: { role: 'owner' } });
    expect(await members().setRole(organizationId, owner.userId, 'member')).toMatchObject(
      { ok: true, member: { role: 'member' } },
    );
    for (const userId of [randomUUID(), 'nobody'])
      expect(await members().setRole(organizationId, userId, 'owner')).toEqual({ ok: false, reason: 'not_found' });
    expect(await rolesOf(organizationId)).toEqual({ [owner.userId]: 'member', [guest.userId]: 'owner' });
  });

  it('removes a member, not the last owner: his sessions have no role there any more', async () => {
    const { owner, guest, organizationId } = await withMember();
    const sessionId = await lab().store.accounts.openSession({ ...aSession(), userId: guest.userId, organizationId });
    const roleOfSession = async () => (await lab().other.accounts.sessionActor(sessionId))?.role;
    expect(await roleOfSession()).toBe('member');
    expect(await members().remove(organizationId, owner.userId)).toEqual({ ok: false, reason: 'last_owner' });
    expect(await members().remove(organizationId, guest.userId)).toEqual({ ok: true });
    expect(await members().remove(organizationId, guest.userId)).toEqual({ ok: false, reason: 'not_found' });
    expect(await roleOfSession()).toBeNull();
    expect((await lab().store.accounts.userById(guest.userId))?.organizationIds).toEqual([guest.organizationId]);
  });

  it('leaves one owner when two leave, or demote each other, at the same moment', async () => {
    const waysToLeave = [
      (store: ConfigStore, organizationId: string, userId: string) => store.members.remove(organizationId, userId),
      (store: ConfigStore, organizationId: string, userId: string) => store.members.setRole(organizationId, userId, 'member'),
    ];
    for (const leave of waysToLeave) {
      const { owner, guest, organizationId } = await withMember('owner');
      const answers = await Promise.all([
        leave(lab().store, organizationId, owner.userId), leave(lab().other, organizationId, guest.userId),
      ]);
      expect(answers.map(({ ok }) => ok).sort()).toEqual([false, true]);
      expect(Object.values(await rolesOf(organizationId)).filter((role) => role === 'owner')).toHaveLength(1);
    }
  });
}
