import { startStripe, type StripeEvent, type TestStripe } from '@sluice/testkit';
import { type Caller, startLab } from '../../test-support/lab';

let stripe: TestStripe;
let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => {
  stripe = await startStripe();
  lab = await startLab({
    SLUICE_BILLING: 'stripe', SLUICE_STRIPE_SECRET_KEY: 'sk_test_1', SLUICE_STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    SLUICE_STRIPE_API_BASE: stripe.url,
    SLUICE_STRIPE_PRICES: 'starter:month=price_starter,pro:month=price_pro,scale:month=price_scale',
  });
});
afterEach(() => stripe.setAway(false));
afterAll(async () => {
  await lab.stop();
  await stripe.stop();
});

type Owner = Awaited<ReturnType<typeof lab.owner>>;
const at = '/api/v1/billing';
const plan = (tier: string) => ({ tier, interval: 'month' });
const order = async (owner: Caller, tier: string) => (await owner.post(`${at}/checkout`, plan(tier)).expect(201)).body;
const tierOf = async (owner: Caller): Promise<string> => (await owner.get(`${at}/me`).expect(200)).body.tier;
const sessionIn = ({ url }: { url: string }): string => url.split('/').at(-1)!;
const deliver = (event: StripeEvent, over?: Parameters<TestStripe['signed']>[1]) => {
  const { body, signature } = stripe.signed(event, over);
  return lab.api().post(`${at}/stripe/webhook`).set('content-type', 'application/json').set('stripe-signature',
    signature).send(body);
};
const taken = (event: StripeEvent) => deliver(event).expect(200, { received: true });
const paid = (sessionId: string, over: Partial<StripeEvent> = {}) =>
  stripe.event('checkout.session.completed', stripe.session(sessionId), over);
const subscriptionEvent = (what: string, subscription: object, created: number): StripeEvent =>
  stripe.event(`customer.subscription.${what}`, subscription, { created });
const withPrice = (subscription: { items: { data: object[] } }, id: string) =>
  ({ ...subscription, items: { data: [{ ...subscription.items.data[0], price: { id } }] } });
const now = (): number => Math.floor(Date.now() / 1000);

/** An organization that has bought a plan, its subscription, and when, in seconds. */
async function bought(tier = 'pro') {
  const owner = await lab.owner('free');
  const made = await order(owner, tier);
  const subscription = stripe.pay(sessionIn(made));
  const boughtAt = now() - 1_000;
  await taken(paid(sessionIn(made), { created: boughtAt }));
  return { owner, made, subscription, boughtAt };
}

test('a plan is ordered on Stripe\'s page, and counts once Stripe says that it is paid', async () => {
  const owner = await lab.owner('free');
  const made = await order(owner, 'pro');
  expect(made).toEqual({ order_id: expect.any(String), status: 'pending', url: expect.stringContaining(stripe.url),
    ...plan('pro') });
  const confirm = () => owner.post(`${at}/orders/${made.order_id}/confirm`);
  await confirm().expect(409, { detail: { error: 'order_not_paid' } });
  expect(await tierOf(owner)).toBe('free');
  stripe.pay(sessionIn(made));
  await taken(paid(sessionIn(made)));
  expect(await tierOf(owner)).toBe('pro');
  const asked = stripe.requests.length;
  expect((await confirm().expect(200)).body).toEqual({ ...made, status: 'completed', url: null });
  expect(stripe.requests.length).toBe(asked);
  expect((await owner.post(`${at}/checkout`, plan('pro')).expect(409)).body).toEqual({ detail: { error: 'already_on_plan' } });
});

test('an order that is paid counts with its confirmation too, before Stripe has said so', async () => {
  const owner = await lab.owner('free');
  const made = await order(owner, 'pro');
  stripe.pay(sessionIn(made));
  expect((await owner.post(`${at}/orders/${made.order_id}/confirm`).expect(200)).body).toMatchObject({ status: 'completed' });
  expect(await tierOf(owner)).toBe('pro');
  await taken(paid(sessionIn(made)));
  expect(await tierOf(owner)).toBe('pro');
});

test('a subscription is changed and ended without another page; what was paid for stays until its end', async () => {
  const { owner, subscription } = await bought('starter');
  expect(await order(owner, 'scale')).toMatchObject({ status: 'completed', url: null });
  expect([await tierOf(owner), subscription.items.data[0]!.price.id]).toEqual(['scale', 'price_scale']);
  expect((await owner.post(`${at}/checkout`, { tier: 'free' }).expect(201)).body).toMatchObject({ status: 'completed',
    tier: 'free' });
  expect([await tierOf(owner), subscription.cancel_at_period_end]).toEqual(['scale', true]);
});

describe('an event', () => {
  test('is taken once, by its id', async () => {
    const { owner, subscription, boughtAt } = await bought();
    const event = subscriptionEvent('updated', withPrice(subscription, 'price_scale'), boughtAt + 10);
    await taken(event);
    expect(await tierOf(owner)).toBe('scale');
    await taken(subscriptionEvent('updated', withPrice(subscription, 'price_starter'), boughtAt + 20));
    await taken({ ...event, created: boughtAt + 30 });
    expect(await tierOf(owner)).toBe('starter');
  });

  test('that is older is not put over a newer one, whatever order they come in', async () => {
    const { owner, subscription, boughtAt } = await bought();
    await taken(subscriptionEvent('deleted', subscription, boughtAt + 20));
    await taken(subscriptionEvent('updated', withPrice(subscription, 'price_scale'), boughtAt + 10));
    expect(await tierOf(owner)).toBe('free');
    const early = await lab.owner('free');
    const made = await order(early, 'pro');
    const other = stripe.pay(sessionIn(made));
    await taken(subscriptionEvent('updated', withPrice(other, 'price_scale'), boughtAt + 10));
    await taken(paid(sessionIn(made), { created: boughtAt }));
    expect(await tierOf(early)).toBe('scale');
  });

  test('of a customer is known by his id alone, once he has paid', async () => {
    const { owner, subscription, boughtAt } = await bought();
    await taken(subscriptionEvent('updated', { ...withPrice(subscription, 'price_starter'), metadata: {} }, boughtAt + 10));
    expect(await tierOf(owner)).toBe('starter');
    await taken(subscriptionEvent('deleted', { ...subscription, metadata: {} }, boughtAt + 20));
    expect(await tierOf(owner)).toBe('free');
  });

  test('of somebody else, of another price or of another kind changes nothing', async () => {
    const { owner, subscription, boughtAt } = await bought();
    const elsewhere = { ...subscription, id: 'sub_x', customer: 'cus_x', metadata: {} };
    await taken(subscriptionEvent('deleted', elsewhere, boughtAt + 10));
    await taken(subscriptionEvent('updated', withPrice(subscription, 'price_of_something_else'), boughtAt + 10));
    await taken(stripe.event('invoice.paid', { id: 'in_1' }));
    expect(await tierOf(owner)).toBe('pro');
  });

  test('and the tier of an operator: the later one counts', async () => {
    const { owner, subscription, boughtAt } = await bought();
    const limits = { seats_limit: 40 };
    await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { tier: 'enterprise', limits }).expect(200);
    // A renewal is no change of the plan.
    await taken(subscriptionEvent('updated', subscription, boughtAt + 10));
    expect(await tierOf(owner)).toBe('enterprise');
    await taken(subscriptionEvent('updated', withPrice(subscription, 'price_scale'), boughtAt + 20));
    expect((await owner.get(`${at}/me`).expect(200)).body).toMatchObject({ tier: 'scale', seats_limit: 40 });
  });

  test('stands in the audit log as a change of the system', async () => {
    const { owner } = await bought();
    const { items } = (await owner.get(`/api/orgs/${owner.organizationId}/audit`).expect(200)).body;
    expect(items).toContainEqual(expect.objectContaining({ action: 'billing.plan_change',
      actor: expect.objectContaining({ type: 'system' }) }));
  });

  test('is refused without a signature of the secret that is not older than 300 seconds', async () => {
    const { owner, subscription, boughtAt } = await bought();
    const event = subscriptionEvent('deleted', subscription, boughtAt + 10);
    const refused = { detail: 'Invalid signature' };
    for (const over of [{ secret: 'whsec_another' }, { at: now() - 400 }, { at: now() + 400 }])
      await deliver(event, over).expect(400, refused);
    const { body, signature } = stripe.signed(event);
    const post = () => lab.api().post(`${at}/stripe/webhook`).set('content-type', 'application/json');
    await post().send(body).expect(400, refused);
    await post().set('stripe-signature', signature).send(body.replace('evt_', 'evt_x')).expect(400, refused);
    expect(await tierOf(owner)).toBe('pro');
    await deliver(event, { at: now() - 200 }).expect(200);
    expect(await tierOf(owner)).toBe('free');
  });
});

describe('while Stripe is away', () => {
  test('orders are refused and change nothing; events are taken', async () => {
    const { owner, subscription, boughtAt } = await bought();
    stripe.setAway(true);
    const calls = [
      owner.post(`${at}/checkout`, plan('scale')), owner.post(`${at}/change-preview`, plan('scale')), owner.post(`${at}/portal`),
      owner.put(`${at}/details`, { company_name: 'Shop' }),
    ];
    for (const call of calls) await call.expect(502, { detail: { error: 'billing_unavailable' } });
    expect(await tierOf(owner)).toBe('pro');
    await taken(subscriptionEvent('updated', withPrice(subscription, 'price_starter'), boughtAt + 10));
    expect(await tierOf(owner)).toBe('starter');
  });
});

test('the customer hears of the details, also of those that were given before he was one', async () => {
  const owner: Owner = await lab.owner('free');
  await owner.put(`${at}/details`, { company_name: 'Before' }).expect(200);
  const made = await order(owner, 'pro');
  const { customer } = stripe.pay(sessionIn(made));
  await taken(paid(sessionIn(made)));
  await owner.put(`${at}/details`, { company_name: 'After' }).expect(200);
  const told = stripe.requests.filter(({ path }) => path === `/v1/customers/${customer}`).map(({ form }) => form['name']);
  expect(told).toEqual(['Before', 'After']);
  expect((await owner.post(`${at}/portal`).expect(200)).body.url).toBe(`${stripe.url}/portal/${customer}`);
});

test('a plan that has no price here cannot be ordered', async () => {
  const owner = await lab.owner('free');
  for (const route of ['checkout', 'change-preview']) {
    const { detail } = (await owner.post(`${at}/${route}`, { tier: 'pro', interval: 'year' }).expect(422)).body;
    expect(detail).toMatchObject([{ type: 'plan_not_sold', loc: ['body', 'tier'], input: 'pro' }]);
  }
});
