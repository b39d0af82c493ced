import type { Plan } from '@sluice/ports';
import type Stripe from 'stripe';
import type { StripePrices } from './stripe-prices';

/** What a subscription says about the plan. */
export interface SubscriptionState {
  /** null: it is over. */
  plan: Plan | null;
  /** It ends then; null: it goes on. */
  endsAt: Date | null;
}

/** Paid for, or tried again by Stripe; only then does Stripe say that it is over. */
const live: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due']);
const over: ReadonlySet<string> = new Set(['canceled', 'unpaid', 'incomplete_expired']);

/** null: it says nothing about a plan. The first payment is open, it is paused, or its price is none of ours. */
export function subscriptionState(subscription: Stripe.Subscription, prices: StripePrices): SubscriptionState | null {
  if (over.has(subscription.status)) return { plan: null, endsAt: null };
  const priceId = subscription.items?.data[0]?.price.id;
  const plan = live.has(subscription.status) && priceId !== undefined ? prices.planOf(priceId) : null;
  return plan && { plan, endsAt: endOf(subscription) };
}

/** When a subscription ends that was cancelled; null: it goes on. */
export function endOf(subscription: Stripe.Subscription): Date | null {
  const { cancel_at: cancelAt, cancel_at_period_end: atPeriodEnd } = subscription;
  const seconds = cancelAt ?? (atPeriodEnd ? periodEnd(subscription) : null);
  return seconds === null ? null : new Date(seconds * 1000);
}

/** Seconds since the epoch. Older versions of the API have it at the subscription, newer ones at its items. */
export function periodEnd(subscription: Stripe.Subscription): number | null {
  const { current_period_end: before } = subscription as { current_period_end?: number };
  return subscription.items?.data[0]?.current_period_end ?? before ?? null;
}
