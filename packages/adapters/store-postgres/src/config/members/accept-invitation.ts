import { randomUUID } from 'node:crypto';
import { type Acceptor, type AcceptRefusal, type InvitationStore, noteAudit, type Role } from '@sluice/ports';
import type { Organization, PrismaClient } from '../../generated/client';
import { inTransaction, type Transaction, violates } from '../../config-client/config-client';
import { lockOrganization } from '../../config-client/connector-changes';
import { seatRefusal } from '../organizations/seats';
import { openSession } from '../accounts/sessions';
import { settleTrial } from '../organizations/trials';

type Answer = Awaited<ReturnType<InvitationStore['accept']>>;

interface LockedInvitation {
  id: string;
  organization_id: string;
  email: string;
  role: Role;
  accepted: boolean;
  revoked: boolean;
  expired: boolean;
  by_owner: boolean;
}

/** Takes an invitation: membership, a new account with its session, and the mark of the invitation are one transaction. */
export async function acceptInvitation(prisma: PrismaClient, tokenHash: string, acceptor: Acceptor): Promise<Answer> {
  try {
    return await inTransaction(prisma, (tx) => accept(tx, tokenHash, acceptor));
  } catch (error) {
    // Somebody signed up with the address meanwhile.
    if (violates(error, 'email')) return { ok: false, reason: 'account_exists' };
    throw error;
  }
}

async function accept(tx: Transaction, tokenHash: string, acceptor: Acceptor): Promise<Answer> {
  const found = await lockInvitation(tx, tokenHash);
  if (!found) return { ok: false, reason: 'not_found' };
  const { invitation, organization } = found;
  // The log of the organization tells of a refused attempt too.
  noteAudit({ organizationIds: [organization.id], label: invitation.email, targetId: invitation.id });
  const refusal = refusalOf(invitation, organization) ?? (await seatRefusal(tx, organization, invitation.id));
  if (refusal) return refusal;
  const isNew = !('userId' in acceptor);
  const userId = isNew ? await signUp(tx, acceptor, invitation) : await joinAs(tx, acceptor, invitation);
  if (userId === null) return { ok: false, reason: 'other_account' };
  const organizationId = organization.id;
  const role = await addMember(tx, { organizationId, userId, role: invitation.role });
  await tx.$executeRaw`UPDATE invitations SET accepted_at = now() WHERE id = ${invitation.id}::uuid`;
  const sessionId = isNew ? await openSession(tx, { ...acceptor.session, userId, organizationId }) : null;
  noteAudit({ userId });
  return { ok: true, organizationId, userId, role, sessionId };
}

/** The organization is locked before its invitation is read: whoever revokes, invites or removes an owner does so too. */
async function lockInvitation(tx: Transaction, tokenHash: string) {
  const known = await tx.invitation.findUnique({ where: { token_hash: tokenHash } });
  if (!known) return null;
  await lockOrganization(tx, known.organization_id);
  const organization = await tx.organization.findUniqueOrThrow({ where: { id: known.organization_id } });
  const [invitation] = await tx.$queryRaw<LockedInvitation[]>`
    SELECT i.id, i.organization_id, i.email, i.role, i.accepted_at IS NOT NULL AS accepted, i.revoked_at IS NOT NULL AS revoked,
      i.expires_at <= now() AS expired, m.role IS NOT DISTINCT FROM 'owner' AS by_owner
    FROM invitations i LEFT JOIN memberships m ON m.user_id = i.invited_by_id AND m.organization_id = i.organization_id
    WHERE i.token_hash = ${tokenHash}`;
  return invitation ? { invitation, organization } : null;
}

function refusalOf(invitation: LockedInvitation, { state }: Organization): AcceptRefusal | null {
  if (invitation.accepted) return { ok: false, reason: 'accepted' };
  // Only owners invite: one who is none any more takes his invitations along.
  if (invitation.revoked || state === 'closed' || !invitation.by_owner) return { ok: false, reason: 'revoked' };
  if (invitation.expired) return { ok: false, reason: 'expired' };
  return state === 'closing' ? { ok: false, reason: 'organization_closing' } : null;
}

/** null: the account has another address. That the token arrived proves the address, as a verification does. */
async function joinAs(
  tx: Transaction,
  { userId, trialKeys }: Extract<Acceptor, { userId: string }>,
  { email }: LockedInvitation,
): Promise<string | null> {
  const [user] = await tx.$queryRaw<{ id: string }[]>`
    UPDATE users SET verified_at = coalesce(verified_at, now()) WHERE id = ${userId}::uuid AND email = ${email} RETURNING id`;
  if (!user) return null;
  await settleTrial(tx, trialKeys);
  return userId;
}

/** Answers the role of the member; one who is a member by now keeps his. */
async function addMember(
  tx: Transaction,
  { organizationId, userId, role }: { organizationId: string; userId: string; role: Role },
): Promise<Role> {
  const ids = { organization_id: organizationId, user_id: userId };
  await tx.membership.createMany({ data: { ...ids, role }, skipDuplicates: true });
  return (await tx.membership.findUniqueOrThrow({ where: { organization_id_user_id: ids } })).role as Role;
}

async function signUp(
  tx: Transaction,
  { name, passwordHash }: { name: string; passwordHash: string },
  { email }: LockedInvitation,
): Promise<string> {
  const id = randomUUID();
  await tx.user.create({ data: { id, email, name, password_hash: passwordHash, verified_at: new Date() } });
  return id;
}
