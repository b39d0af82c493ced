import { billingIntervals, type OrderedTier, orderedTiers, type Plan } from '@sluice/ports';

type PaidTier = Exclude<OrderedTier, 'free'>;
const paidTiers = orderedTiers.filter((tier): tier is PaidTier => tier !== 'free');

/** The plans that are sold, by Stripe's ids of their prices. */
export interface StripePrices {
  /** null: it is not sold. */
  priceOf(plan: Plan): string | null;
  /** null: the price is of something else. */
  planOf(priceId: string): Plan | null;
}

/**
 * @param byName price ids by tier and interval: `starter:month`, `starter:year`, ...
 * @throws Error when two plans have one price: a subscription could not be told from another
 */
export function pricesOf(byName: Readonly<Record<string, string>>): StripePrices {
  const plans = new Map<string, Plan>();
  for (const tier of paidTiers) for (const interval of billingIntervals) {
    const id = byName[`${tier}:${interval}`];
    if (id === undefined) continue;
    if (plans.has(id)) throw new Error('SLUICE_STRIPE_PRICES names one price for two plans');
    plans.set(id, { tier, interval });
  }
  return {
    priceOf: ({ tier, interval }) => byName[`${tier}:${interval}`] ?? null,
    planOf: (priceId) => plans.get(priceId) ?? null,
  };
}
