import { type BillingStore, inAuditScope, type Plan, type SubscriptionNews } from '@sluice/ports';
import type { PrismaClient, Subscription } from '../../generated/client';
import { bySystem } from '../organizations/by-system';
import { wideTimeoutMs } from '../organizations/change-organization';
import { inTransaction, isUuid, type Transaction } from '../../config-client/config-client';
import { lockOrganization } from '../../config-client/connector-changes';
import { completePaidOrder } from './paid-orders';
import { idColumns, planIn, setPlan, writeSubscription } from './subscription-rows';

const none: Plan = { tier: 'free', interval: null };
const mostPerRound = 100;
const planChange = 'billing.plan_change';

/** What the provider says of subscriptions, and what time does to them. */
export function subscriptionNews(prisma: PrismaClient): Pick<BillingStore, 'endSubscriptions' | 'take'> {
  const bySystemInTransaction = (id: string, work: (tx: Transaction) => Promise<boolean>): Promise<boolean> =>
    inAuditScope(() => bySystem(id, planChange), () => inTransaction(prisma, work, wideTimeoutMs));
  return {
    async take(news) {
      if (!isUuid(news.organizationId)) return false;
      return bySystemInTransaction(news.organizationId, (tx) => take(tx, news));
    },

    async endSubscriptions(now) {
      const where = { ends_at: { lte: now } };
      const due = await prisma.subscription.findMany({ where, select: { organization_id: true }, take: mostPerRound });
      let ended = 0;
      for (const { organization_id: id } of due)
        if (await bySystemInTransaction(id, (tx) => endIfOver(tx, id, now))) ended += 1;
      return ended;
    },
  };
}

async function take(tx: Transaction, news: SubscriptionNews): Promise<boolean> {
  const { eventId: id, organizationId, ids, endsAt, occurredAt } = news;
  if (!(await lockOrganization(tx, organizationId))) return false;
  // Taken once: the second of two at the same moment waits for the lock, and finds it here.
  if ((await tx.billingEvent.createMany({ data: { id }, skipDuplicates: true })).count === 0) return false;
  const order = await completePaidOrder(tx, organizationId, news.reference);
  const known = await tx.subscription.findUnique({ where: { organization_id: organizationId } });
  if (known?.occurred_at && known.occurred_at > occurredAt) return false;
  const plan = news.plan === 'ordered' ? order && planIn(order) : news.plan;
  if (news.plan === 'ordered' && plan === null) return false;
  if (plan === null && endsAnother(known, news)) return false;
  const facts = { ...idColumns(ids), occurred_at: occurredAt, ends_at: endsAt };
  const next = plan ?? none;
  if (known && isSame(planIn(known), next)) {
    await writeSubscription(tx, organizationId, next, facts);
    return (known.ends_at?.getTime() ?? null) !== (endsAt?.getTime() ?? null);
  }
  await setPlan(tx, organizationId, next, plan === null ? { ...facts, ends_at: null, subscription_id: null } : facts);
  return true;
}

/** The end of a subscription that another one has replaced. */
const endsAnother = (known: Subscription | null, { ids: { subscriptionId } }: SubscriptionNews): boolean =>
  known?.subscription_id !== undefined && known.subscription_id !== null && known.subscription_id !== subscriptionId;

const isSame = (one: Plan, other: Plan): boolean => one.tier === other.tier && one.interval === other.interval;

async function endIfOver(tx: Transaction, organizationId: string, now: Date): Promise<boolean> {
  await lockOrganization(tx, organizationId);
  const known = await tx.subscription.findUnique({ where: { organization_id: organizationId } });
  if (!known?.ends_at || known.ends_at > now) return false;
  await setPlan(tx, organizationId, none, { subscription_id: null });
  return true;
}
