import { type BillingDetails, type BillingStore, isOnPlan, noteAudit, type OrderRow, type Plan,
  type ProviderIds } from '@sluice/ports';
import type { AgreementAcceptance, BillingOrder, PrismaClient } from '../../generated/client';
import { wideTimeoutMs } from '../organizations/change-organization';
import { asId, inTransaction, isUuid, json, type Transaction } from '../../config-client/config-client';
import { organizationRow } from '../config-rows';
import { lockOrganization } from '../../config-client/connector-changes';
import { timeIn } from '../../config-client/database-time';
import { paidNow } from './paid-orders';
import { subscriptionNews } from './subscription-news';
import { idColumns, planIn, setPlan, subscriptionRow, writeSubscription } from './subscription-rows';

/** Plans and orders, on Postgres. Every change of a plan holds the organization's row lock. */
export function createBillingStore(prisma: PrismaClient): BillingStore {
  return {
    subscription: async (organizationId) =>
      subscriptionRow(await prisma.subscription.findUnique({ where: { organization_id: asId(organizationId) } })),

    async organizationOfCustomer(customerId) {
      const row = await prisma.subscription.findFirst({ where: { customer_id: customerId }, select: { organization_id: true } });
      return row?.organization_id ?? null;
    },

    addOrder: (order) => inTransaction(prisma, (tx) => addOrder(tx, order), wideTimeoutMs),

    async order(organizationId, orderId) {
      const where = { id: asId(orderId), organization_id: asId(organizationId) };
      const row = await prisma.billingOrder.findFirst({ where });
      return row && orderRow(row);
    },

    completeOrder: (organizationId, orderId, { plan, ...ids }) =>
      inTransaction(prisma, (tx) => completeOrder(tx, { organizationId, orderId, ids, plan }), wideTimeoutMs),

    ...subscriptionNews(prisma),

    async details(organizationId) {
      const row = await prisma.billingDetail.findUnique({ where: { organization_id: asId(organizationId) } });
      return row && (row.details as unknown as BillingDetails);
    },

    saveDetails: (organization_id, details) => inTransaction(prisma, async (tx) => {
      const data = { details: json(details) };
      await tx.billingDetail.upsert({ where: { organization_id }, create: { organization_id, ...data }, update: data });
      noteAudit({ targetId: organization_id });
    }),

    async acceptances(organizationId) {
      const rows = await prisma.agreementAcceptance.findMany({ where: { organization_id: asId(organizationId) } });
      return rows.map(acceptanceRow);
    },

    acceptAgreement: ({ organizationId, agreement, version, acceptedBy }) => inTransaction(prisma, async (tx) => {
      const key = { organization_id: organizationId, agreement, version };
      await tx.agreementAcceptance.createMany({ data: { ...key, accepted_by: acceptedBy }, skipDuplicates: true });
      noteAudit({ targetId: agreement });
      return acceptanceRow(await tx.agreementAcceptance.findUniqueOrThrow({ where: { organization_id_agreement_version: key } }));
    }),
  };
}

async function addOrder(
  tx: Transaction,
  { id, organizationId, plan, ids, outcome }: Parameters<BillingStore['addOrder']>[0],
): ReturnType<BillingStore['addOrder']> {
  await lockOrganization(tx, organizationId);
  const organization = await tx.organization.findUniqueOrThrow({ where: { id: organizationId } });
  const subscription = await tx.subscription.findUnique({ where: { organization_id: organizationId } });
  if (isOnPlan(organizationRow(organization), subscriptionRow(subscription), plan))
    return { ok: false, reason: 'already_on_plan' };
  const payment = outcome.status === 'pending'
    ? { url: outcome.url, reference: outcome.reference } : { completed_at: await timeIn(tx, 0) };
  const { tier, interval: billing_interval } = plan;
  const order = await tx.billingOrder.create({
    data: { id, organization_id: organizationId, tier, billing_interval, status: outcome.status, ...payment },
  });
  const facts = idColumns(ids);
  const effectiveAt = outcome.status === 'completed' ? outcome.effectiveAt : null;
  // Until then the present plan is paid for.
  if (effectiveAt !== null) await writeSubscription(tx, organizationId, plan, { ...facts, ends_at: effectiveAt });
  else if (outcome.status === 'completed') await setPlan(tx, organizationId, plan, facts);
  else if (ids.customerId) await knowCustomer(tx, organization, ids.customerId);
  noteAudit({ targetId: id });
  return { ok: true, order: orderRow(order) };
}

/** The customer of an order that is not paid yet: the next order is the same customer's. */
async function knowCustomer(tx: Transaction, { id, tier }: { id: string; tier: string }, customerId: string): Promise<void> {
  const known = { customer_id: customerId };
  await tx.subscription.upsert({
    where: { organization_id: id }, update: known, create: { organization_id: id, tier, ...known },
  });
}

async function completeOrder(
  tx: Transaction,
  { organizationId, orderId, ids, plan }: { organizationId: string; orderId: string; ids: ProviderIds; plan: Plan | undefined },
): Promise<OrderRow | null> {
  if (!isUuid(orderId)) return null;
  await lockOrganization(tx, organizationId);
  const order = await tx.billingOrder.findFirst({ where: { id: orderId, organization_id: asId(organizationId) } });
  noteAudit({ targetId: orderId });
  if (!order || order.status === 'completed') return order && orderRow(order);
  await setPlan(tx, organizationId, plan ?? planIn(order), idColumns(ids));
  return orderRow(await tx.billingOrder.update({ where: { id: orderId }, data: await paidNow(tx) }));
}

const orderRow = (row: BillingOrder): OrderRow => ({
  id: row.id, ...planIn(row), status: row.status === 'completed' ? 'completed' : 'pending', url: row.url,
  reference: row.reference,
});

const acceptanceRow = (row: AgreementAcceptance) =>
  ({ agreement: row.agreement, version: row.version, acceptedAt: row.accepted_at, acceptedBy: row.accepted_by });
