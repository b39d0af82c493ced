import { inAuditScope, noteAudit } from '../../config-store/audit-scope';
import type { BillingAccount, Plan } from '../../billing';
import { type BillingStore, isOnPlan, type OrderRow, type ProviderIds, type SubscriptionNews } from '../../config-store';
import { recorded } from './memory-config-audit';
import type { MemoryBilling } from './memory-config-rows';
import { announce, connectorsOf, copy, type MemoryConfigState } from './memory-config-state';
import { memoryTrialFacts } from './memory-config-trials';

type Known = MemoryBilling['subscriptions'] extends Map<string, infer S> ? S : never;
const none: Plan = { tier: 'free', interval: null };

/** Plans and orders of the twin. */
export function createMemoryBilling(state: MemoryConfigState): BillingStore {
  const { billing } = state;
  const orderIn = (organizationId: string, id: string) =>
    billing.orders.find((order) => order.id === id && order.organizationId === organizationId);
  const byProvider = (id: string, change: () => boolean): boolean => inAuditScope(
    () => ({
      organizationId: id, actor: { type: 'system', id: null, label: null }, action: 'billing.plan_change',
      target: { type: 'organization', id }, ip: null, requestId: null,
    }),
    () => recorded(state, 'update', change()),
  );
  return {
    async subscription(organizationId) {
      const known = billing.subscriptions.get(organizationId);
      if (!known) return null;
      const { occurredAt: _, ...row } = copy(known);
      return row;
    },
    organizationOfCustomer: async (customerId) =>
      [...billing.subscriptions.values()].find((one) => one.customerId === customerId)?.organizationId ?? null,
    async addOrder({ id, organizationId, plan, ids, outcome }) {
      const organization = state.organizations.get(organizationId)!;
      if (isOnPlan(organization, billing.subscriptions.get(organizationId) ?? null, plan))
        return { ok: false, reason: 'already_on_plan' };
      const { status } = outcome;
      const payment = outcome.status === 'pending'
        ? { url: outcome.url, reference: outcome.reference } : { url: null, reference: null };
      const order: OrderRow = { id, tier: plan.tier, interval: plan.interval, status, ...payment };
      billing.orders.push({ ...order, organizationId });
      const effectiveAt = outcome.status === 'completed' ? outcome.effectiveAt : null;
      if (effectiveAt !== null) write(state, organizationId, { ...ids, endsAt: effectiveAt }, plan);
      else if (status === 'completed') setPlan(state, organizationId, plan, ids);
      else if (ids.customerId) {
        write(state, organizationId, { customerId: ids.customerId }, { tier: organization.tier as Plan['tier'], interval: null });
      }
      noteAudit({ targetId: id });
      return { ok: true, order };
    },
    async order(organizationId, orderId) {
      const found = orderIn(organizationId, orderId);
      return found ? orderRow(found) : null;
    },
    async completeOrder(organizationId, orderId, { plan, ...ids }) {
      const order = orderIn(organizationId, orderId);
      noteAudit({ targetId: orderId });
      if (!order) return null;
      if (order.status === 'completed') return orderRow(order);
      setPlan(state, organizationId, plan ?? planIn(order), ids);
      Object.assign(order, paidNow);
      return orderRow(order);
    },
    take: async (news) =>
      state.organizations.has(news.organizationId) && byProvider(news.organizationId, () => take(state, news)),
    async endSubscriptions(now) {
      const over = [...billing.subscriptions.values()].filter(({ endsAt }) => endsAt !== null && endsAt <= now);
      for (const { organizationId } of over)
        byProvider(organizationId, () => setPlan(state, organizationId, none, { subscriptionId: null }));
      return over.length;
    },
    details: async (organizationId) => copy(billing.details.get(organizationId) ?? null),
    async saveDetails(organizationId, details) {
      billing.details.set(organizationId, copy(details));
      noteAudit({ targetId: organizationId });
    },
    acceptances: async (organizationId) => billing.acceptances.filter((one) => one.organizationId === organizationId).map(
      ({ organizationId: _, ...row }) => copy(row),
    ),
    async acceptAgreement({ organizationId, agreement, version, acceptedBy }) {
      noteAudit({ targetId: agreement });
      const first = billing.acceptances.find((one) =>
        one.organizationId === organizationId && one.agreement === agreement && one.version === version);
      const { organizationId: _, ...row } = first ?? { organizationId, agreement, version, acceptedBy, acceptedAt: new Date() };
      if (!first) billing.acceptances.push({ organizationId, ...row });
      return copy(row);
    },
  };
}

const orderRow = ({ organizationId: _, ...order }: OrderRow & { organizationId: string }): OrderRow => copy(order);

/** Undefined facts stay as they are known. */
function write(state: MemoryConfigState, organizationId: string, facts: Partial<Known>, plan: Plan): void {
  const known = state.billing.subscriptions.get(organizationId);
  const fresh: Known = { organizationId, customerId: null, subscriptionId: null, plan, endsAt: null, occurredAt: null };
  const given = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  state.billing.subscriptions.set(organizationId, { ...(known ?? fresh), ...given });
}

function setPlan(
  state: MemoryConfigState,
  organizationId: string,
  plan: Plan,
  facts: ProviderIds & Partial<Pick<Known, 'endsAt' | 'occurredAt'>>,
): true {
  write(state, organizationId, { endsAt: null, ...facts, plan }, plan);
  const organization = state.organizations.get(organizationId)!;
  if (organization.tier !== plan.tier) {
    Object.assign(organization, { ...memoryTrialFacts(organization, plan.tier), tier: plan.tier, trialEndsAt: null });
    announce(state, connectorsOf(state, organizationId));
  }
  return true;
}

const paidNow = { status: 'completed', url: null } as const;
const planIn = ({ tier, interval }: OrderRow): Plan => ({ tier, interval });

function take(state: MemoryConfigState, news: SubscriptionNews): boolean {
  const { eventId, organizationId, ids, endsAt, occurredAt } = news;
  const { subscriptions, takenEvents } = state.billing;
  const known = subscriptions.get(organizationId);
  if (takenEvents.has(eventId)) return false;
  takenEvents.add(eventId);
  const order = [...state.billing.orders.values()].find((one) =>
    one.organizationId === organizationId && news.reference !== null && one.reference === news.reference);
  if (order) Object.assign(order, paidNow);
  if (known?.occurredAt && known.occurredAt > occurredAt) return false;
  const plan = news.plan === 'ordered' ? (order ? planIn(order) : null) : news.plan;
  if (news.plan === 'ordered' && plan === null) return false;
  if (plan === null && endsAnother(known, ids)) return false;
  const next = plan ?? none;
  if (known?.plan.tier === next.tier && known.plan.interval === next.interval) {
    const changed = (known.endsAt?.getTime() ?? null) !== (endsAt?.getTime() ?? null);
    write(state, organizationId, { ...ids, occurredAt, endsAt }, next);
    return changed;
  }
  const over = plan === null ? { endsAt: null, subscriptionId: null } : { endsAt };
  return setPlan(state, organizationId, next, { ...ids, occurredAt, ...over });
}

/** The end of a subscription that another one has replaced. */
const endsAnother = (known: BillingAccount | undefined, { subscriptionId }: ProviderIds): boolean =>
  known !== undefined && known.subscriptionId !== null && known.subscriptionId !== subscriptionId;
