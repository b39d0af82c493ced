import { tiers } from '../../../connector-change';
import { defineRoute } from '../../../http/route';
import { bodyLimits, idText, timestamp, uuid } from '../shared';

const tag = 'Billing';
const shared = { tag, auth: 'owner', keyRefusal: 'user_auth_required' } as const;
const interval = { type: 'string', enum: ['month', 'year'] } as const;
const nullableInterval = { type: ['string', 'null'], enum: ['month', 'year', null] } as const;
const orderedTier = { type: 'string', enum: ['free', 'starter', 'pro', 'scale'] } as const;

/** `interval` is required but for `free`, which has none. */
const wantedPlan = {
  type: 'object',
  required: ['tier'],
  additionalProperties: false,
  properties: { tier: orderedTier, interval },
  if: { required: ['tier'], properties: { tier: { enum: ['starter', 'pro', 'scale'] } } },
  then: { required: ['interval'] },
} as const;

const order = {
  type: 'object',
  required: ['order_id', 'status', 'url', 'tier', 'interval'],
  properties: {
    order_id: uuid,
    status: { type: 'string', enum: ['pending', 'completed'] },
    url: { type: ['string', 'null'], description: 'Where it is paid; null once it is completed.' },
    tier: orderedTier,
    interval: nullableInterval,
  },
} as const;

const plan = {
  type: 'object',
  required: ['tier', 'interval'],
  properties: { tier: { type: 'string', enum: [...tiers] }, interval: nullableInterval },
} as const;

/** Orders of plans (docs/reference/accounts-and-plans.md, Billing). */
export const checkout = defineRoute({
  name: 'checkout',
  method: 'post',
  path: '/api/v1/billing/checkout',
  ...shared,
  audit: { action: 'billing.checkout', target: 'order' },
  summary: 'Order a plan; `free` ends the subscription',
  bodyLimit: bodyLimits.small,
  body: wantedPlan,
  answers: { 201: { description: 'The order. A pending one is to be paid at `url`.', schema: order } },
  errors: ['already_on_plan', 'billing_unavailable'],
  examples: [{ title: 'By the month', body: { tier: 'pro', interval: 'month' } }, { title: 'End it', body: { tier: 'free' } }],
});

export const previewPlanChange = defineRoute({
  name: 'preview_plan_change',
  method: 'post',
  path: '/api/v1/billing/change-preview',
  ...shared,
  audit: null,
  summary: 'What a plan would cost, and which of its limits are exceeded; nothing changes',
  bodyLimit: bodyLimits.small,
  body: wantedPlan,
  answers: {
    200: {
      description: 'What is over a limit goes on; nothing more can be added.',
      schema: {
        type: 'object',
        required: ['current', 'next', 'amount_due', 'currency', 'effective_at', 'exceeded'],
        properties: {
          current: plan,
          next: plan,
          amount_due: { type: 'integer', description: 'In the smallest unit of the currency, for example cents.' },
          currency: { type: 'string', description: 'Three letters (ISO 4217).' },
          effective_at: timestamp,
          exceeded: {
            type: 'array',
            items: {
              type: 'object',
              required: ['limit', 'used', 'allowed'],
              properties: {
                limit: { type: 'string', description: 'A limit of `GET /api/v1/billing/me`.' },
                used: { type: 'integer', minimum: 0 },
                allowed: { type: 'integer', minimum: 0 },
              },
            },
          },
        },
      },
    },
  },
  errors: ['billing_unavailable'],
  examples: [{ title: 'A smaller plan', body: { tier: 'starter', interval: 'year' } }],
});

export const confirmOrder = defineRoute({
  name: 'confirm_order',
  method: 'post',
  path: '/api/v1/billing/orders/:order_id/confirm',
  ...shared,
  audit: { action: 'billing.confirm', target: 'order', param: 'order_id' },
  summary: 'Take over an order that was paid; again, it changes nothing',
  params: { type: 'object', required: ['order_id'], properties: { order_id: idText } } as const,
  bodyRequired: false,
  bodyLimit: bodyLimits.small,
  body: { type: 'object', additionalProperties: false, properties: {} } as const,
  answers: { 200: { description: 'The order, completed.', schema: order } },
  errors: ['Not Found', 'order_not_paid', 'billing_unavailable'],
});

export const billingPortal = defineRoute({
  name: 'billing_portal',
  method: 'post',
  path: '/api/v1/billing/portal',
  ...shared,
  audit: null,
  summary: 'A page with the invoices and means of payment of the organization',
  bodyRequired: false,
  bodyLimit: bodyLimits.small,
  body: { type: 'object', additionalProperties: false, properties: {} } as const,
  answers: {
    200: {
      description: 'Its address.',
      schema: { type: 'object', required: ['url'], properties: { url: { type: 'string' } } },
    },
  },
  errors: ['billing_unavailable'],
});

const text = (detail: string) =>
  ({ description: detail, schema: { type: 'object', required: ['detail'], properties: { detail: {} } } }) as const;

/** Where Stripe reports payments and subscriptions (docs/reference/accounts-and-plans.md, Billing). */
export const stripeWebhook = defineRoute({
  name: 'stripe_webhook',
  method: 'post',
  path: '/api/v1/billing/stripe/webhook',
  tag: 'Billing',
  auth: 'none',
  // A change of a plan is logged with the organization that it is about, as one of the system.
  audit: null,
  summary: 'Stripe says what was paid, and what became of a subscription',
  description: 'Each event is taken once, and never an older one over a newer one. Events of other kinds are answered the same.',
  bodyLimit: bodyLimits.medium,
  headers: {
    type: 'object', required: ['Stripe-Signature'],
    properties: { 'Stripe-Signature': { type: 'string', description: 'As Stripe signs, within 300 seconds of now.' } },
  },
  body: { type: 'object', additionalProperties: true },
  answers: {
    200: {
      description: 'Taken, or nothing for this installation.',
      schema: { type: 'object', required: ['received'], properties: { received: { type: 'boolean', const: true } } },
    },
  },
  failures: {
    400: text('`Invalid signature`, also for a signature whose time is more than 300 seconds from now. `Malformed JSON`.'),
    404: text('`Not Found`: plans are not paid for with Stripe here.'),
    408: text('`Request Timeout`.'),
    413: text('`payload_too_large`.'),
    415: text('`Unsupported content encoding`.'),
    422: text('The body is no object.'),
    429: text('Too many refused calls, with `Retry-After`.'),
    502: text('`billing_unavailable`: to be sent again.'),
    503: text('`service_unavailable`: to be sent again.'),
  },
  errors: [],
  examples: [{ title: 'A subscription was changed', body: { id: 'evt_1', type: 'customer.subscription.updated', data: {} } }],
});
