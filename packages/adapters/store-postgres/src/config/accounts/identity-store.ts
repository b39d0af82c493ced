import { randomUUID } from 'node:crypto';
import { type ForeignSignIn, type IdentityStore, noteAudit, retry } from '@sluice/ports';
import type { PrismaClient } from '../../generated/client';
import { userRow } from './account-rows';
import { addOrganization } from '../organizations/add-organization';
import { inTransaction, type Transaction, violates } from '../../config-client/config-client';
import { lockUser } from './lock-user';
import { releaseAddress } from './release-address';

type Answer = Awaited<ReturnType<IdentityStore['resolve']>>;

/** Two sign-ins of one person at the same moment: the second finds what the first has made. */
const mostRuns = 3;

/** Accounts of people who sign in elsewhere, on Postgres. */
export function createIdentityStore(prisma: PrismaClient): IdentityStore {
  return {
    resolve: (signIn) => retry(() => inTransaction(prisma, (tx) => resolve(tx, signIn)), (error, runs) => {
      if (runs >= mostRuns || !(violates(error, 'subject') || violates(error, 'email'))) throw error;
    }),
  };
}

async function resolve(tx: Transaction, signIn: ForeignSignIn): Promise<Answer> {
  const { issuer, subject, verifiedEmail: email } = signIn;
  const known = await tx.identity.findUnique({ where: { issuer_subject: { issuer, subject } }, include: { user: true } });
  if (known) return { ok: true, user: (await userRow(tx, known.user))!, created: false };
  if (email === null) return { ok: false, reason: 'not_vouched_for' };
  const holder = await lockUser(tx, { email });
  const isLinked = holder !== null && holder.verified_at !== null;
  const userId = isLinked ? holder.id : await createUser(tx, email, signIn);
  await tx.identity.create({ data: { issuer, subject, user_id: userId } });
  const user = await tx.user.findUniqueOrThrow({ where: { id: userId } });
  return { ok: true, user: (await userRow(tx, user))!, created: !isLinked };
}

/** A verified account without a password, with an organization of its own. */
async function createUser(
  tx: Transaction,
  email: string,
  { name, organizationName, trialKeys, trialMs }: ForeignSignIn,
): Promise<string> {
  const id = randomUUID();
  await releaseAddress(tx, email);
  await tx.user.create({ data: { id, email, name, password_hash: '', verified_at: new Date() } });
  await addOrganization(tx, { name: organizationName, ownerId: id, trialKeys, trialMs });
  noteAudit({ userId: id, label: email });
  return id;
}
