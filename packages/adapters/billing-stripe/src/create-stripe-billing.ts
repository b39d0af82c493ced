import {
  type BillingDetails, type BillingOrder, type BillingProvider, BillingUnavailable, type OrderOutcome, type Plan, PlanNotSold,
} from '@sluice/ports';
import Stripe from 'stripe';
import { stripeMessages } from './stripe-messages';
import type { StripePrices } from './stripe-prices';
import { periodEnd, subscriptionState } from './subscription-state';

export interface StripeBillingOptions {
  secretKey: string;
  webhookSecret: string;
  /** Where Stripe's API is: scheme, host and port. */
  apiBase: string;
  prices: StripePrices;
  /** Base of the product's links. */
  publicUrl: string;
  /** Milliseconds since the epoch. */
  now?(): number;
  /** Milliseconds for each try. Default 8 s. */
  timeoutMs?: number;
  /** Tries after one that failed for a reason that may pass. Default 1. */
  retries?: number;
}

type Account = BillingOrder['account'];

const isPaid: ReadonlySet<string> = new Set(['paid', 'no_payment_required']);

/**
 * BillingProvider on Stripe. A first order is paid on Stripe's page; an order of an organization that has a subscription changes
 * that one, so that nobody pays twice.
 *
 * Every POST carries an idempotency key, that of an order its id: a try that is repeated makes nothing twice. Stripe's texts stay
 * here, because they may repeat what was sent.
 */
export function createStripeBilling(options: StripeBillingOptions): BillingProvider {
  const { prices, now = Date.now } = options;
  const stripe = client(options);
  const subscriptionNow = async (id: string): Promise<Stripe.Subscription | null> =>
    answered(orNull(stripe.subscriptions.retrieve(id)));
  /** The subscription that is paid for; null: there is none, or it is over. */
  const current = async ({ subscriptionId }: Account): Promise<Stripe.Subscription | null> => {
    const subscription = subscriptionId === null ? null : await subscriptionNow(subscriptionId);
    return subscription && isOver(subscription) ? null : subscription;
  };
  return {
    async order(order) {
      const subscription = await current(order.account);
      if (order.plan.tier === 'free') return cancelled(stripe, order, subscription);
      const price = sold(prices, order.plan);
      return subscription === null ? checkout(stripe, options, order, price) : changed(stripe, order, subscription, price);
    },

    async quote({ account, plan }) {
      const subscription = await current(account);
      if (plan.tier === 'free') return ofNothing(subscription, now());
      const price = sold(prices, plan);
      return answered(subscription ? dueForChange(stripe, subscription, price, now()) : dueAtFirst(stripe, price, now()));
    },

    async paid(reference) {
      const session = await answered(stripe.checkout.sessions.retrieve(reference, { expand: ['subscription'] }));
      const { status, payment_status: payment, subscription } = session;
      if (status === 'open' || status === 'expired' || !isPaid.has(payment)) return null;
      const ids = { customerId: idOf(session.customer), subscriptionId: idOf(subscription) };
      const state = typeof subscription === 'object' && subscription ? subscriptionState(subscription, prices) : null;
      return state ? { ...ids, plan: state.plan ?? { tier: 'free', interval: null } } : ids;
    },

    async portalUrl({ customerId }) {
      const home = `${options.publicUrl}/billing`;
      if (customerId === null) return home;
      const session = await answered(stripe.billingPortal.sessions.create({ customer: customerId, return_url: home }));
      return session.url;
    },

    async updateCustomer({ customerId }, details) {
      if (customerId !== null) await answered(stripe.customers.update(customerId, customerFields(details)));
    },

    messages: stripeMessages({ stripe, secret: options.webhookSecret, prices, subscriptionNow, now }),
  };
}

function client({ secretKey, apiBase, timeoutMs = 8_000, retries = 1 }: StripeBillingOptions): Stripe {
  const { hostname, port, protocol } = new URL(apiBase);
  return new Stripe(secretKey, {
    host: hostname.replaceAll(/^\[|\]$/g, ''), protocol: protocol === 'http:' ? 'http' : 'https',
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    timeout: timeoutMs, maxNetworkRetries: retries, telemetry: false,
  });
}

/** @throws PlanNotSold */
function sold(prices: StripePrices, plan: Plan): string {
  const price = prices.priceOf(plan);
  if (price === null) throw new PlanNotSold(plan);
  return price;
}

async function checkout(
  stripe: Stripe, { publicUrl }: StripeBillingOptions, { orderId, account, email }: BillingOrder, price: string,
): Promise<OrderOutcome> {
  const { customerId, organizationId } = account;
  // Read from events of the subscription, which may come before the one of the payment.
  const metadata = { organization_id: organizationId };
  const customer = customerId !== null ? { customer: customerId } : email !== null ? { customer_email: email } : {};
  const session = await answered(stripe.checkout.sessions.create({
    mode: 'subscription', line_items: [{ price, quantity: 1 }], client_reference_id: organizationId, ...customer,
    metadata: { ...metadata, order_id: orderId }, subscription_data: { metadata },
    success_url: `${publicUrl}/billing?order_id=${orderId}`, cancel_url: `${publicUrl}/billing`,
  }, { idempotencyKey: `order-${orderId}` }));
  if (session.url === null) throw new BillingUnavailable('Stripe has made a page without an address');
  return { status: 'pending', url: session.url, reference: session.id, customerId: idOf(session.customer) };
}

/** The invoice that follows has what the change costs, or gives back. */
async function changed(
  stripe: Stripe, { orderId }: BillingOrder, subscription: Stripe.Subscription, price: string,
): Promise<OrderOutcome> {
  const items = [{ id: itemOf(subscription), price }];
  const after = await answered(stripe.subscriptions.update(
    subscription.id, { items, cancel_at_period_end: false }, { idempotencyKey: `order-${orderId}` },
  ));
  return { status: 'completed', customerId: idOf(after.customer), subscriptionId: after.id, effectiveAt: null };
}

/** What has been paid for stays until the end of its period. */
async function cancelled(
  stripe: Stripe, { orderId, account }: BillingOrder, subscription: Stripe.Subscription | null,
): Promise<OrderOutcome> {
  const { customerId } = account;
  if (subscription === null) return { status: 'completed', customerId, subscriptionId: null, effectiveAt: null };
  const after = await answered(stripe.subscriptions.update(
    subscription.id, { cancel_at_period_end: true }, { idempotencyKey: `order-${orderId}` },
  ));
  const end = after.cancel_at ?? periodEnd(after);
  return {
    status: 'completed', customerId, subscriptionId: after.id, effectiveAt: end === null ? null : new Date(end * 1000),
  };
}

const ofNothing = (subscription: Stripe.Subscription | null, now: number) => {
  const end = subscription && periodEnd(subscription);
  return {
    amountDue: 0, currency: subscription?.currency ?? 'usd', effectiveAt: new Date(end === null ? now : end * 1000),
  };
};

async function dueAtFirst(stripe: Stripe, price: string, now: number) {
  const { currency, unit_amount: amount } = await stripe.prices.retrieve(price);
  return { amountDue: amount ?? 0, currency, effectiveAt: new Date(now) };
}

async function dueForChange(stripe: Stripe, subscription: Stripe.Subscription, price: string, now: number) {
  const invoice = await stripe.invoices.createPreview({
    customer: idOf(subscription.customer)!, subscription: subscription.id,
    subscription_details: { items: [{ id: itemOf(subscription), price }] },
  });
  return { amountDue: invoice.amount_due, currency: invoice.currency, effectiveAt: new Date(now) };
}

/** The VAT id stands on invoices as text: what Stripe calls a tax id must be of a type that it knows and checks. */
function customerFields({ companyName, billingEmail, address, vatId }: BillingDetails): Stripe.CustomerUpdateParams {
  const { line1, line2, city, postalCode, state, country } = address;
  const text = (value: string | null): string => value ?? '';
  const given = Object.values(address).some((part) => part !== null);
  return {
    name: text(companyName), ...(billingEmail === null ? {} : { email: billingEmail }),
    address: given
      ? {
          line1: text(line1), line2: text(line2), city: text(city), postal_code: text(postalCode), state: text(state),
          country: text(country),
        }
      : '',
    invoice_settings: { custom_fields: vatId === null ? '' : [{ name: 'VAT ID', value: vatId }] },
  };
}

function itemOf(subscription: Stripe.Subscription): string {
  const item = subscription.items.data[0];
  if (!item) throw new BillingUnavailable('Stripe has a subscription without a price');
  return item.id;
}

const isOver = ({ status }: Stripe.Subscription): boolean => status === 'canceled' || status === 'incomplete_expired';

const idOf = (thing: string | { id: string } | null): string | null => (typeof thing === 'string' ? thing : thing?.id ?? null);

async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing') return null;
    throw error;
  }
}

/** @throws BillingUnavailable whatever Stripe or the way to it says: nothing has changed here */
async function answered<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    throw new BillingUnavailable(`Stripe: ${[error.type, error.code, error.statusCode].filter(Boolean).join(' ')}`);
  }
}
