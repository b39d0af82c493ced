import { randomUUID } from 'node:crypto';
import { type AccountStore, type NewAccount, noteAudit } from '@sluice/ports';
import type { PrismaClient } from '../../generated/client';
import { insertOrganization } from '../organizations/add-organization';
import { addMailToken } from './mail-tokens';
import { inTransaction, type Transaction, violates } from '../../config-client/config-client';
import { releaseAddress } from './release-address';
import { openSession } from './sessions';
import { grantTrial, takeTrial } from '../organizations/trials';

/** User, organization, ownership, session and the mail that verifies the address: all of it or nothing. */
export async function createAccount(prisma: PrismaClient, account: NewAccount): ReturnType<AccountStore['create']> {
  const [userId, organizationId] = [randomUUID(), randomUUID()];
  const { email, session, verification, verified = false } = account;
  try {
    return await inTransaction(prisma, async (tx) => {
      noteAudit({ organizationIds: [organizationId], userId, targetId: organizationId });
      if (verified) await releaseAddress(tx, email);
      await addOrganization(tx, { ...account, organizationId, verified });
      const verifiedAt = verified ? new Date() : null;
      await tx.user.create({ data: { id: userId, email, password_hash: account.passwordHash, verified_at: verifiedAt } });
      await tx.membership.create({ data: { organization_id: organizationId, user_id: userId, role: 'owner' } });
      if (verification) await addMailToken(tx, 'verify_email', { userId, address: email, sendable: true }, verification);
      const sessionId = session ? await openSession(tx, { ...session, userId, organizationId }) : null;
      return { ok: true, userId, organizationId, sessionId };
    });
  } catch (error) {
    if (violates(error, 'email')) return { ok: false, reason: 'email_already_registered' };
    throw error;
  }
}

type NewOrganization = Pick<NewAccount, 'organizationName' | 'tier' | 'trialKeys' | 'trialMs'>
  & { organizationId: string; verified: boolean };

async function addOrganization(tx: Transaction, wanted: NewOrganization): Promise<void> {
  const { organizationId, tier, trialKeys, trialMs, verified } = wanted;
  const onTrial = tier === 'trial' && trialKeys !== undefined;
  if (onTrial && verified) await grantTrial(tx, trialKeys, organizationId);
  const trialRefused = onTrial && !verified && !(await takeTrial(tx, trialKeys, { organizationId, verified }));
  await insertOrganization(tx, {
    id: organizationId, name: wanted.organizationName, tier: trialRefused ? 'free' : tier, trialRefused,
    trialMs: tier === 'trial' && !trialRefused ? trialMs : undefined,
  });
}
