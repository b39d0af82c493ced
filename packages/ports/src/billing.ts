/** Plans that an organization can order. `free` ends a subscription. */
export const orderedTiers = ['free', 'starter', 'pro', 'scale'] as const;
export type OrderedTier = (typeof orderedTiers)[number];

export const billingIntervals = ['month', 'year'] as const;
export type BillingInterval = (typeof billingIntervals)[number];

/** A plan as it is paid for; `free` has no interval. */
export interface Plan {
  tier: OrderedTier;
  interval: BillingInterval | null;
}

/** What the provider knows an organization by, once it has bought something. */
export interface BillingAccount {
  organizationId: string;
  /** The provider's id of the customer; null: none yet. */
  customerId: string | null;
  /** The provider's id of the subscription that is paid for now; null: none. */
  subscriptionId: string | null;
}

export interface BillingOrder {
  /** The same in every try: the provider makes nothing twice. */
  orderId: string;
  account: BillingAccount;
  plan: Plan;
  /** Whom the provider writes to; null: nobody said so. */
  email: string | null;
}

/** What an order costs now, and when it counts. */
export interface PlanQuote {
  /** In the smallest unit of the currency: cents. */
  amountDue: number;
  /** Three letters (ISO 4217). */
  currency: string;
  effectiveAt: Date;
}

/**
 * What became of an order. `completed`: the plan counts from now on, or, for `effectiveAt`, from then on. `pending`: somebody
 * pays at `url` first; `reference` is what the provider calls the payment.
 */
export type OrderOutcome =
  | { status: 'completed'; customerId: string | null; subscriptionId: string | null; effectiveAt: Date | null }
  | { status: 'pending'; url: string; reference: string; customerId: string | null };

/** What the provider prints on its invoices. */
export interface BillingDetails {
  companyName: string | null;
  billingEmail: string | null;
  address: {
    line1: string | null;
    line2: string | null;
    city: string | null;
    postalCode: string | null;
    state: string | null;
    country: string | null;
  };
  vatId: string | null;
}

/** The provider does not answer, or fails. Nothing has changed, or the same order finds what was made. */
export class BillingUnavailable extends Error {
  override name = 'BillingUnavailable';
}

/** Who takes the money. Any method may throw `BillingUnavailable`. */
export interface BillingProvider {
  order(order: BillingOrder): Promise<OrderOutcome>;
  /** What an order would cost; nothing changes. */
  quote(order: Omit<BillingOrder, 'orderId'>): Promise<PlanQuote>;
  /** Whether a pending order has been paid; null: not yet. */
  paid(reference: string): Promise<{ customerId: string | null; subscriptionId: string | null } | null>;
  /** A page where the customer sees invoices and means of payment. */
  portalUrl(account: BillingAccount): Promise<string>;
  /** The provider's customer follows the organization's details; nothing to do where there is none yet. */
  updateCustomer(account: BillingAccount, details: BillingDetails): Promise<void>;
}
