import { type BillingMessage, BillingMessageRefused, type BillingMessages, BillingUnavailable } from '@sluice/ports';
import type Stripe from 'stripe';
import type { StripePrices } from './stripe-prices';
import { subscriptionState } from './subscription-state';

/** Seconds that the time of a signature may differ from ours. */
const toleranceS = 300;

export interface StripeMessagesOptions {
  stripe: Stripe;
  /** `SLUICE_STRIPE_WEBHOOK_SECRET` */
  secret: string;
  prices: StripePrices;
  /** A subscription as it is now; null: Stripe does not have it. */
  subscriptionNow(id: string): Promise<Stripe.Subscription | null>;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** What Stripe's webhook says about payments and subscriptions. Every other kind of event is nothing. */
export function stripeMessages(options: StripeMessagesOptions): BillingMessages {
  return {
    signatureHeader: 'stripe-signature',
    async read(body, signature) {
      const event = verified(options, body, signature);
      switch (event.type) {
        case 'checkout.session.completed':
        case 'checkout.session.async_payment_succeeded':
          return ofSession(options, event, event.data.object);
        case 'customer.subscription.created':
        case 'customer.subscription.updated':
        case 'customer.subscription.deleted':
          return ofSubscription(options, event, event.data.object);
        default:
          return null;
      }
    },
  };
}

/** @throws BillingMessageRefused */
function verified({ stripe, secret, now }: StripeMessagesOptions, body: Buffer, signature: string): Stripe.Event {
  // The SDK refuses what is too old, and takes what comes from the future.
  const signedAt = Number(/(?:^|,)t=(\d+)(?:,|$)/.exec(signature)?.[1]);
  if (!(signedAt <= now() / 1000 + toleranceS)) throw new BillingMessageRefused('The signature has no time, or one to come');
  try {
    return stripe.webhooks.constructEvent(body, signature, secret, toleranceS, undefined, now());
  } catch {
    throw new BillingMessageRefused('The signature does not fit');
  }
}

const facts = ({ id, created }: Stripe.Event) => ({ eventId: id, occurredAt: new Date(created * 1000) });
const idOf = (thing: string | { id: string } | null): string | null => (typeof thing === 'string' ? thing : thing?.id ?? null);

async function ofSession(
  { prices, subscriptionNow }: StripeMessagesOptions, event: Stripe.Event, session: Stripe.Checkout.Session,
): Promise<BillingMessage | null> {
  const { client_reference_id: organizationId, payment_status: payment } = session;
  // A bank transfer: `async_payment_succeeded` follows.
  if (payment === 'unpaid' || session.mode === 'payment' || session.mode === 'setup') return null;
  const [customerId, subscriptionId] = [idOf(session.customer), idOf(session.subscription)];
  // The session does not say what was bought, and the subscription may have changed since. Where Stripe does not say it, the
  // order does, and a later event of the subscription corrects it.
  const subscription = subscriptionId === null ? null : await subscriptionNow(subscriptionId).catch(whileAway);
  const state = subscription && subscriptionState(subscription, prices);
  return {
    ...facts(event), organizationId, customerId, subscriptionId, reference: session.id,
    plan: state ? state.plan : 'ordered', endsAt: state?.endsAt ?? null,
  };
}

function whileAway(error: unknown): null {
  if (error instanceof BillingUnavailable) return null;
  throw error;
}

function ofSubscription(
  { prices }: StripeMessagesOptions, event: Stripe.Event, subscription: Stripe.Subscription,
): BillingMessage | null {
  const isDeleted = event.type === 'customer.subscription.deleted';
  const state = isDeleted ? { plan: null, endsAt: null } : subscriptionState(subscription, prices);
  return state && {
    ...facts(event), ...state, organizationId: subscription.metadata?.['organization_id'] ?? null,
    customerId: idOf(subscription.customer), subscriptionId: subscription.id, reference: null,
  };
}
