import { BillingMessageRefused, type BillingOrder, type BillingProvider, PlanNotSold } from '@sluice/ports';
import { billingConformance } from '@sluice/ports/testing';
import { startStripe, stripeChangeCosts, stripePeriodEnd, type TestStripe } from '@sluice/testkit';
import { createStripeBilling } from './create-stripe-billing';
import { pricesOf } from './stripe-prices';

const publicUrl = 'https://sluice.example';
const prices = pricesOf({ 'pro:month': 'price_pro', 'scale:month': 'price_scale', 'scale:year': 'price_scale_year' });
const providerOf = ({ url, webhookSecret }: TestStripe): BillingProvider => createStripeBilling({
  secretKey: 'sk_test_1', webhookSecret, apiBase: url, prices, publicUrl, retries: 0,
});

billingConformance('Stripe', async () => {
  const stripe = await startStripe();
  return {
    provider: providerOf(stripe), pay: async (reference) => void stripe.pay(reference), setAway: stripe.setAway,
    close: stripe.stop,
  };
});

let stripe: TestStripe;
let provider: BillingProvider;
beforeAll(async () => {
  stripe = await startStripe();
  provider = providerOf(stripe);
});
afterAll(() => stripe.stop());

const organizationId = 'b6a3f6e0-3b0f-4b5e-8f0e-5d3f5f6f7a10';
const fresh = { organizationId, customerId: null, subscriptionId: null };
let orders = 0;
const order = (over: Partial<BillingOrder> = {}): BillingOrder => {
  orders += 1;
  return { orderId: `order-${orders}`, account: fresh, plan: { tier: 'pro', interval: 'month' }, email: 'ada@shop.example',
    ...over };
};
async function bought() {
  const outcome = await provider.order(order());
  if (outcome.status !== 'pending') throw new Error('a payment page was expected');
  const subscription = stripe.pay(outcome.reference);
  const account = { organizationId, customerId: subscription.customer, subscriptionId: subscription.id };
  return { account, reference: outcome.reference, subscription };
}
const read = ({ body, signature }: { body: string; signature: string }) => provider.messages!.read(Buffer.from(body), signature);

test('a first order is paid on a page of the organization\'s own, under the id of the order', async () => {
  const first = order();
  await provider.order(first);
  expect(stripe.requests.at(-1)).toEqual({
    method: 'POST', path: '/v1/checkout/sessions', idempotencyKey: `order-${first.orderId}`,
    form: {
      mode: 'subscription', 'line_items[0][price]': 'price_pro', 'line_items[0][quantity]': '1',
      client_reference_id: organizationId,
      customer_email: 'ada@shop.example', 'metadata[organization_id]': organizationId, 'metadata[order_id]': first.orderId,
      'subscription_data[metadata][organization_id]': organizationId,
      success_url: `${publicUrl}/billing?order_id=${first.orderId}`, cancel_url: `${publicUrl}/billing`,
    },
  });
  await provider.order(order({ account: { ...fresh, customerId: 'cus_1' } }));
  expect(stripe.requests.at(-1)?.form).toMatchObject({ customer: 'cus_1' });
  await expect(provider.order(order({ plan: { tier: 'starter', interval: 'month' } }))).rejects.toBeInstanceOf(PlanNotSold);
});

test('every POST carries an idempotency key', async () => {
  const { account } = await bought();
  await provider.order(order({ account, plan: { tier: 'scale', interval: 'month' } }));
  await provider.portalUrl(account);
  await provider.quote({ account, plan: { tier: 'scale', interval: 'year' }, email: null });
  const posts = stripe.requests.filter(({ method }) => method === 'POST');
  expect(posts.filter(({ idempotencyKey }) => idempotencyKey === undefined)).toEqual([]);
});

test('an order of a customer changes his subscription, and free ends it with its period', async () => {
  const { account, subscription } = await bought();
  const scale = { tier: 'scale', interval: 'month' } as const;
  expect(await provider.quote({ account, plan: scale, email: null })).toMatchObject({ amountDue: stripeChangeCosts,
    currency: 'eur' });
  expect(await provider.order(order({ account, plan: scale }))).toEqual({
    status: 'completed', customerId: account.customerId, subscriptionId: subscription.id, effectiveAt: null,
  });
  expect(subscription.items.data[0]!.price.id).toBe('price_scale');
  const end = new Date(stripePeriodEnd * 1000);
  expect(await provider.order(order({ account, plan: { tier: 'free', interval: null } }))).toMatchObject({ effectiveAt: end });
  expect(subscription.cancel_at_period_end).toBe(true);
  // Ordered again, it goes on.
  await provider.order(order({ account, plan: scale }));
  expect(subscription.cancel_at_period_end).toBe(false);
  // One that is over is bought anew.
  subscription.status = 'canceled';
  expect(await provider.order(order({ account }))).toMatchObject({ status: 'pending' });
});

test('what was paid is what the subscription says by now', async () => {
  const { reference, subscription, account: { customerId, subscriptionId } } = await bought();
  const paid = { customerId, subscriptionId };
  expect(await provider.paid(reference)).toEqual({ ...paid, plan: { tier: 'pro', interval: 'month' } });
  subscription.items.data[0]!.price.id = 'price_scale_year';
  expect(await provider.paid(reference)).toEqual({ ...paid, plan: { tier: 'scale', interval: 'year' } });
  subscription.status = 'canceled';
  expect(await provider.paid(reference)).toEqual({ ...paid, plan: { tier: 'free', interval: null } });
});

test('the customer follows the details', async () => {
  const { account } = await bought();
  const address = { line1: 'Kai 1', line2: null, city: 'Wien', postalCode: '1010', state: null, country: 'AT' };
  await provider.updateCustomer(account, { companyName: 'Shop', billingEmail: 'bills@shop.example', address, vatId: 'ATU1' });
  expect(stripe.requests.at(-1)).toMatchObject({
    path: `/v1/customers/${account.customerId}`,
    form: {
      name: 'Shop', email: 'bills@shop.example', 'address[city]': 'Wien', 'address[country]': 'AT',
      'invoice_settings[custom_fields][0][value]': 'ATU1',
    },
  });
});

describe('a message', () => {
  const at = { created: 1_790_000_000 };
  const occurredAt = new Date(at.created * 1000);

  test('of a payment says what is paid for by now, and completes its order', async () => {
    const { account, reference } = await bought();
    const event = stripe.event('checkout.session.completed', stripe.session(reference), at);
    expect(await read(stripe.signed(event))).toEqual({
      eventId: event.id, occurredAt, ...account, reference, plan: { tier: 'pro', interval: 'month' }, endsAt: null,
    });
    // Stripe does not say what it was for, as while it is away.
    const elsewhere = stripe.event('checkout.session.completed', { ...stripe.session(reference), subscription: 'sub_other' }, at);
    expect(await read(stripe.signed(elsewhere))).toMatchObject({ subscriptionId: 'sub_other', plan: 'ordered' });
    stripe.setAway(true);
    expect(await read(stripe.signed(event))).toMatchObject({ plan: 'ordered' });
    stripe.setAway(false);
  });

  test('of a payment that is still to come is nothing', async () => {
    const { reference } = await bought();
    const session = { ...stripe.session(reference), payment_status: 'unpaid' };
    expect(await read(stripe.signed(stripe.event('checkout.session.completed', session)))).toBeNull();
    expect(await read(stripe.signed(stripe.event('invoice.paid', {})))).toBeNull();
  });

  test.each([
    ['active', {}, { tier: 'pro', interval: 'month' }, null], ['past_due', {}, { tier: 'pro', interval: 'month' }, null],
    ['active', { cancel_at_period_end: true }, { tier: 'pro', interval: 'month' }, new Date(stripePeriodEnd * 1000)],
    ['active', { cancel_at: 4_000_000_000 }, { tier: 'pro', interval: 'month' }, new Date(4_000_000_000_000)],
    ['canceled', {}, null, null], ['unpaid', {}, null, null],
  ])('of a subscription that is %s %j', async (status, over, plan, endsAt) => {
    const { account, subscription } = await bought();
    const event = stripe.event('customer.subscription.updated', { ...subscription, status, ...over }, at);
    expect(await read(stripe.signed(event))).toEqual({ eventId: event.id, occurredAt, ...account, reference: null, plan,
      endsAt });
  });

  test('of a subscription that is deleted, incomplete, or of another price', async () => {
    const { subscription } = await bought();
    const of = (type: string, over: object) =>
      read(stripe.signed(stripe.event(`customer.subscription.${type}`, { ...subscription, ...over })));
    expect(await of('deleted', {})).toMatchObject({ plan: null });
    expect(await of('updated', { status: 'incomplete' })).toBeNull();
    expect(await of('updated', { items: { data: [{ id: 'si', price: { id: 'price_of_something_else' } }] } })).toBeNull();
  });

  test('is refused unless it is signed with the secret, within 300 seconds, over these bytes', async () => {
    const event = stripe.event('invoice.paid', {});
    const now = Math.floor(Date.now() / 1000);
    for (const over of [{ secret: 'whsec_another' }, { at: now - 400 }, { at: now + 400 }])
      await expect(read(stripe.signed(event, over))).rejects.toBeInstanceOf(BillingMessageRefused);
    const { body, signature } = stripe.signed(event);
    for (const changed of [{ body: `${body} `, signature }, { body, signature: 'v1=abc' }, { body, signature: 't=now' }])
      await expect(read(changed)).rejects.toBeInstanceOf(BillingMessageRefused);
    expect(await read(stripe.signed(event, { at: now - 200 }))).toBeNull();
    expect(await read(stripe.signed(event, { at: now + 200 }))).toBeNull();
  });
});
