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

/** What the provider says by itself: that something was paid, or what became of a subscription. */
export interface BillingMessage {
  /** Each is taken once. */
  eventId: string;
  /** By the provider's clock. */
  occurredAt: Date;
  /** null: the customer's. */
  organizationId: string | null;
  customerId: string | null;
  subscriptionId: string | null;
  /** The payment that was made, as `OrderOutcome` calls it; null: it is about none. */
  reference: string | null;
  /** What is paid for now; null: nothing any more; `ordered`: what the order of that payment says. */
  plan: Plan | null | 'ordered';
  /** The subscription ends then; null: it goes on. */
  endsAt: Date | null;
}

/** A message is not the provider's, or its signature is too old. */
export class BillingMessageRefused extends Error {
  override name = 'BillingMessageRefused';
}

/** Messages that a provider posts. */
export interface BillingMessages {
  /** The header of the signature, in lower case. */
  signatureHeader: string;
  /**
   * Checks a message over the bytes as they came, and reads it. null: it is about nothing that is kept.
   * @throws BillingMessageRefused, BillingUnavailable
   */
  read(body: Buffer, signature: string): Promise<BillingMessage | null>;
}

/** The provider has no price for the plan. */
export class PlanNotSold extends Error {
  override name = 'PlanNotSold';
  constructor(readonly plan: Plan) {
    super(`The plan ${plan.tier} has no price`);
  }
}

/** The provider does not answer, or fails. Nothing has changed, or the same order finds what was made. */
export class BillingUnavailable extends Error {
  override name = 'BillingUnavailable';
}

/** Who takes the money. Any method may throw `BillingUnavailable`. */
export interface BillingProvider {
  /** @throws PlanNotSold */
  order(order: BillingOrder): Promise<OrderOutcome>;
  /** What an order would cost; nothing changes. @throws PlanNotSold */
  quote(order: Omit<BillingOrder, 'orderId'>): Promise<PlanQuote>;
  /**
   * Whether a pending order has been paid; null: not yet. `plan` is what is paid for by now, where the provider says so: the
   * subscription may have changed since.
   */
  paid(reference: string): Promise<{ customerId: string | null; subscriptionId: string | null; plan?: Plan } | null>;
  /** A page where the customer sees invoices and means of payment. */
  portalUrl(account: BillingAccount): Promise<string>;
  /** The provider's customer follows the organization's details; nothing to do where there is none yet. */
  updateCustomer(account: BillingAccount, details: BillingDetails): Promise<void>;
  /** null: the provider says nothing by itself. */
  messages: BillingMessages | null;
}
