import { defineSettings } from '../define-settings';

/** Who takes the money for plans. */
export const billingSettings = defineSettings({
  billing: {
    env: 'SLUICE_BILLING',
    type: 'enum',
    options: ['local', 'stripe'],
    default: 'local',
    needsFor: { stripe: ['SLUICE_STRIPE_SECRET_KEY', 'SLUICE_STRIPE_WEBHOOK_SECRET', 'SLUICE_STRIPE_PRICES'] },
    description:
      '`local`: nobody takes money, and every order of a plan counts at once. `stripe`: plans are subscriptions of Stripe, '
      + 'which reports to `/api/v1/billing/stripe/webhook` below `SLUICE_PUBLIC_URL`.',
  },
  stripeSecretKey: { env: 'SLUICE_STRIPE_SECRET_KEY', type: 'secret', description: 'The secret key of the account at Stripe.' },
  stripeWebhookSecret: {
    env: 'SLUICE_STRIPE_WEBHOOK_SECRET',
    type: 'secret',
    description:
      'The signing secret of the webhook, which sends `checkout.session.completed`, `checkout.session.async_payment_succeeded` '
      + 'and `customer.subscription.created`, `.updated` and `.deleted`.',
  },
  stripeApiBase: {
    env: 'SLUICE_STRIPE_API_BASE',
    type: 'url',
    default: 'https://api.stripe.com',
    description: 'Scheme, host and port of Stripe\'s API. It may lead to a private address.',
  },
  stripePrices: {
    env: 'SLUICE_STRIPE_PRICES',
    type: 'map',
    options: ['starter:month', 'starter:year', 'pro:month', 'pro:year', 'scale:month', 'scale:year'],
    description:
      'Stripe\'s ids of the prices: `starter:month=price_x,starter:year=price_y,...`. A plan without one cannot be ordered.',
  },
});
