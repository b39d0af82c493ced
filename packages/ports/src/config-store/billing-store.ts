import type { BillingAccount, BillingDetails, BillingInterval, OrderedTier, Plan } from '../billing';
import type { OrganizationRow } from './account-store';

/** What an organization pays for. */
export interface SubscriptionRow extends BillingAccount {
  /** The plan of the last order or of the provider's last word. */
  plan: Plan;
  /** It ends then, and the organization moves to `free`; null: it goes on. */
  endsAt: Date | null;
}

export interface OrderRow {
  id: string;
  tier: OrderedTier;
  interval: BillingInterval | null;
  status: 'pending' | 'completed';
  /** Where it is paid; null once it is completed. */
  url: string | null;
  /** What the provider calls the payment. */
  reference: string | null;
}

/** What is known of a customer and a subscription at the provider; undefined leaves what is known. */
export type ProviderIds = Partial<Pick<BillingAccount, 'customerId' | 'subscriptionId'>>;

export interface NewOrder {
  id: string;
  organizationId: string;
  plan: Plan;
  ids: ProviderIds;
  /** `pending` waits for a payment; `completed` counts at once, or from `effectiveAt` on. */
  outcome: { status: 'pending'; url: string; reference: string } | { status: 'completed'; effectiveAt: Date | null };
}

export type OrderAnswer = { ok: true; order: OrderRow } | { ok: false; reason: 'already_on_plan' };

/** An organization has agreed to a document. */
export interface AcceptanceRow {
  agreement: string;
  version: string;
  acceptedAt: Date;
  /** The address of who did. */
  acceptedBy: string;
}

/** What the provider says of a subscription, in whatever order it comes. */
export interface SubscriptionNews {
  /** The provider's id of the message: each is taken once. */
  eventId: string;
  /** When it happened, by the provider's clock: nothing older is put over something newer. */
  occurredAt: Date;
  organizationId: string;
  ids: ProviderIds;
  /** The payment of an order, which is completed with it; null: it is about none. */
  reference: string | null;
  /** What is paid for; null: the subscription is over; `ordered`: what the order of that payment says. */
  plan: Plan | null | 'ordered';
  endsAt: Date | null;
}

/** Plans, orders and what belongs to invoices. */
export interface BillingStore {
  /** null: it has never ordered anything. */
  subscription(organizationId: string): Promise<SubscriptionRow | null>;
  /** The organization that a customer of the provider is; null: none. */
  organizationOfCustomer(customerId: string): Promise<string | null>;
  /**
   * Writes an order. One that is completed moves the organization to its plan in the same transaction, unless it is on that plan:
   * of two orders of one plan at the same moment one is refused.
   */
  addOrder(order: NewOrder): Promise<OrderAnswer>;
  order(organizationId: string, orderId: string): Promise<OrderRow | null>;
  /**
   * A pending order was paid: it counts from now on. One that is completed stays as it is. null: there is none.
   * @param paid `plan` is what is paid for by now; left out: what was ordered
   */
  completeOrder(organizationId: string, orderId: string, paid: ProviderIds & { plan?: Plan }): Promise<OrderRow | null>;
  /** Takes the provider's word. False: the message was taken before, is older than what is known, or changes nothing. */
  take(news: SubscriptionNews): Promise<boolean>;
  /** Ends subscriptions whose time is over; answers how many. */
  endSubscriptions(now: Date): Promise<number>;
  details(organizationId: string): Promise<BillingDetails | null>;
  saveDetails(organizationId: string, details: BillingDetails): Promise<void>;
  acceptances(organizationId: string): Promise<AcceptanceRow[]>;
  /** The first acceptance of a version stays. */
  acceptAgreement(acceptance: Omit<AcceptanceRow, 'acceptedAt'> & { organizationId: string }): Promise<AcceptanceRow>;
}

/** The plan in force: what was ordered, unless an operator has set another tier since. */
export const planOf = (
  { tier }: Pick<OrganizationRow, 'tier'>, subscription: SubscriptionRow | null,
): { tier: OrganizationRow['tier']; interval: BillingInterval | null } =>
  ({ tier, interval: subscription?.plan.tier === tier ? subscription.plan.interval : null });

/** Whether an organization has what it orders. */
export const isOnPlan = (
  organization: Pick<OrganizationRow, 'tier'>, subscription: SubscriptionRow | null, { tier, interval }: Plan,
): boolean => {
  const present = planOf(organization, subscription);
  return present.tier === tier && present.interval === interval && (subscription?.endsAt ?? null) === null;
};
