import { randomUUID } from 'node:crypto';
import type { BillingDetails, Plan } from '../../billing';
import { planOf, type NewOrder, type SubscriptionNews } from '../../config-store';
import { aConnector, anHourAgo, type ConfigStoreLab, createFeed, inAnHour, ok, signUp } from './config-store-lab';

const pro: Plan = { tier: 'pro', interval: 'month' };
const free: Plan = { tier: 'free', interval: null };

/** Plans, orders, the provider's word, details and agreements. */
export function configBillingTests(lab: () => ConfigStoreLab): void {
  const billing = () => lab().store.billing;
  const anOrganization = async (tier: 'free' | 'trial' = 'free') =>
    (await signUp(lab(), { tier, trialMs: 60_000 })).organizationId;
  const tierOf = async (id: string) => (await lab().other.organizations.get(id))!.tier;
  const present = async (id: string) =>
    planOf((await lab().other.organizations.get(id))!, await lab().other.billing.subscription(id));
  const anOrder = (organizationId: string, plan: Plan, over: Partial<NewOrder> = {}): NewOrder =>
    ({ id: randomUUID(), organizationId, plan, ids: {}, outcome: { status: 'completed', effectiveAt: null }, ...over });
  const pending = (over: Partial<NewOrder> = {}): Partial<NewOrder> =>
    ({ outcome: { status: 'pending', url: 'https://pay.example/1', reference: 'cs_1' }, ...over });
  const news = (organizationId: string, over: Partial<SubscriptionNews> = {}): SubscriptionNews => ({
    eventId: randomUUID(), occurredAt: new Date(), organizationId, plan: pro, endsAt: null, reference: null,
    ids: { customerId: 'cus_1', subscriptionId: 'sub_1' }, ...over,
  });

  it('an order that is completed counts at once, and reaches the connectors', async () => {
    const organizationId = await anOrganization('trial');
    const connector = await aConnector(lab(), { organizationId });
    const feed = createFeed(lab());
    await feed.of(connector.id);
    const order = anOrder(organizationId, pro);
    const answer = { id: order.id, ...pro, status: 'completed', url: null, reference: null };
    expect(await billing().addOrder(order)).toEqual({ ok: true, order: answer });
    expect(await present(organizationId)).toEqual(pro);
    expect((await lab().other.organizations.get(organizationId))!.trialEndsAt).toBeNull();
    expect((await feed.last(connector.id)).organization).toMatchObject({ tier: 'pro' });
    expect(await lab().other.billing.order(organizationId, order.id)).toEqual(answer);
    expect(await billing().order(await anOrganization(), order.id)).toBeNull();
    expect(await billing().order(organizationId, 'nothing')).toBeNull();
  });

  it('the present plan is refused, also to one of two orders at the same moment', async () => {
    const organizationId = await anOrganization();
    const order = (plan: Plan) => billing().addOrder(anOrder(organizationId, plan));
    expect(await order(free)).toEqual({ ok: false, reason: 'already_on_plan' });
    const both = await Promise.all([order(pro), order(pro)]);
    expect(both.filter((answer) => answer.ok).length).toBe(1);
    expect(await order({ tier: 'pro', interval: 'year' })).toMatchObject({ ok: true });
    expect(await order(free)).toMatchObject({ ok: true });
    expect(await present(organizationId)).toEqual(free);
  });

  it('a tier that an operator has set since counts, and has no interval', async () => {
    const organizationId = await anOrganization();
    ok(await billing().addOrder(anOrder(organizationId, pro)));
    await lab().store.organizations.update(organizationId, { tier: 'enterprise', limits: { seats_limit: 40 } });
    expect(await present(organizationId)).toEqual({ tier: 'enterprise', interval: null });
    ok(await billing().addOrder(anOrder(organizationId, pro)));
    expect(await present(organizationId)).toEqual(pro);
    expect((await lab().store.organizations.get(organizationId))!.limits).toEqual({ seats_limit: 40 });
  });

  it('an order counts once it is paid, and once only', async () => {
    const organizationId = await anOrganization();
    const order = anOrder(organizationId, pro, pending({ ids: { customerId: 'cus_7' } }));
    expect(ok(await billing().addOrder(order)).order).toMatchObject(
      { status: 'pending', url: 'https://pay.example/1', reference: 'cs_1' },
    );
    expect([await tierOf(organizationId), (await billing().subscription(organizationId))?.customerId]).toEqual(['free', 'cus_7']);
    expect(await billing().organizationOfCustomer('cus_7')).toBe(organizationId);
    expect(await billing().organizationOfCustomer('cus_unknown')).toBeNull();
    const complete = () => billing().completeOrder(organizationId, order.id, { subscriptionId: 'sub_7' });
    expect(await complete()).toMatchObject({ status: 'completed', url: null });
    expect(await present(organizationId)).toEqual(pro);
    await lab().store.organizations.update(organizationId, { tier: 'scale' });
    expect(await complete()).toMatchObject({ status: 'completed' });
    expect(await tierOf(organizationId)).toBe('scale');
    expect(await billing().completeOrder(await anOrganization(), order.id, {})).toBeNull();
    expect(await billing().completeOrder(organizationId, 'nothing', {})).toBeNull();
  });

  it('an order that is confirmed gives what is paid for by now', async () => {
    const organizationId = await anOrganization();
    const order = anOrder(organizationId, pro, pending());
    ok(await billing().addOrder(order));
    const scale = { tier: 'scale', interval: 'year' } as const;
    await billing().completeOrder(organizationId, order.id, { subscriptionId: 'sub_9', plan: scale });
    expect(await present(organizationId)).toEqual(scale);
  });

  it('a plan that ends later stays until then', async () => {
    const organizationId = await anOrganization();
    ok(await billing().addOrder(anOrder(organizationId, pro, { ids: { subscriptionId: 'sub_1' } })));
    const outcome = { status: 'completed', effectiveAt: inAnHour() } as const;
    ok(await billing().addOrder(anOrder(organizationId, free, { outcome })));
    expect(await present(organizationId)).toEqual(pro);
    expect((await billing().subscription(organizationId))?.endsAt).toEqual(outcome.effectiveAt);
    await billing().endSubscriptions(new Date());
    expect(await tierOf(organizationId)).toBe('pro');
    // Ordered again, it goes on.
    ok(await billing().addOrder(anOrder(organizationId, pro)));
    expect((await billing().subscription(organizationId))?.endsAt).toBeNull();
    ok(await billing().addOrder(anOrder(organizationId, free, { outcome })));
    expect(await billing().endSubscriptions(new Date(outcome.effectiveAt.getTime() + 1))).toBeGreaterThan(0);
    expect(await present(organizationId)).toEqual(free);
    expect(await billing().subscription(organizationId)).toMatchObject({ subscriptionId: null, endsAt: null });
  });

  describe('the word of the provider', () => {
    it('is taken once', async () => {
      const organizationId = await anOrganization();
      const bought = news(organizationId);
      expect(await billing().take(bought)).toBe(true);
      expect(await present(organizationId)).toEqual(pro);
      expect(await billing().subscription(organizationId)).toMatchObject({ customerId: 'cus_1', subscriptionId: 'sub_1' });
      await billing().take(news(organizationId, { plan: { tier: 'scale', interval: 'month' } }));
      expect(await billing().take({ ...bought, occurredAt: inAnHour() })).toBe(false);
      expect(await tierOf(organizationId)).toBe('scale');
      const again = news(organizationId, { plan: { tier: 'starter', interval: 'month' }, occurredAt: inAnHour() });
      const both = await Promise.all([billing().take(again), billing().take(again)]);
      expect(both.filter(Boolean).length).toBe(1);
    });

    it('is never put over something newer', async () => {
      const organizationId = await anOrganization();
      expect(await billing().take(news(organizationId))).toBe(true);
      const older = { plan: { tier: 'scale', interval: 'year' }, occurredAt: anHourAgo() } as const;
      expect(await billing().take(news(organizationId, older))).toBe(false);
      expect(await billing().take(news(organizationId, { plan: null, occurredAt: anHourAgo() }))).toBe(false);
      expect(await present(organizationId)).toEqual(pro);
    });

    it('ends a subscription, and changes nothing else of the organization', async () => {
      const organizationId = await anOrganization();
      const connector = await aConnector(lab(), { organizationId });
      await billing().take(news(organizationId));
      expect(await billing().take(news(organizationId, { plan: null, occurredAt: inAnHour() }))).toBe(true);
      expect(await present(organizationId)).toEqual(free);
      expect(await lab().store.connectors.get(organizationId, connector.id)).toMatchObject({ id: connector.id });
    });

    it('of the end of a subscription that another has replaced is nothing', async () => {
      const organizationId = await anOrganization();
      await billing().take(news(organizationId));
      const old = { customerId: 'cus_1', subscriptionId: 'sub_0' };
      expect(await billing().take(news(organizationId, { plan: null, ids: old, occurredAt: inAnHour() }))).toBe(false);
      expect(await tierOf(organizationId)).toBe('pro');
    });

    it('of a renewal leaves a tier that an operator has set', async () => {
      const organizationId = await anOrganization();
      await billing().take(news(organizationId));
      await lab().store.organizations.update(organizationId, { tier: 'enterprise' });
      expect(await billing().take(news(organizationId, { occurredAt: inAnHour() }))).toBe(false);
      expect(await tierOf(organizationId)).toBe('enterprise');
    });

    it('of a payment completes the order, and gives what was ordered where it does not say what is paid for', async () => {
      const organizationId = await anOrganization();
      const reference = `cs_${randomUUID()}`;
      const order = anOrder(organizationId, pro, { outcome: { status: 'pending', url: 'https://pay.example/1', reference } });
      ok(await billing().addOrder(order));
      expect(await billing().take(news(organizationId, { reference: 'cs_other', plan: 'ordered' }))).toBe(false);
      expect(await billing().order(organizationId, order.id)).toMatchObject({ status: 'pending' });
      expect(await billing().take(news(organizationId, { reference, plan: 'ordered' }))).toBe(true);
      expect(await present(organizationId)).toEqual(pro);
      expect(await lab().other.billing.order(organizationId, order.id)).toMatchObject({ status: 'completed', url: null });
    });

    it('of a payment that is older than what is known completes the order alone', async () => {
      const organizationId = await anOrganization();
      const reference = `cs_${randomUUID()}`;
      const order = anOrder(organizationId, pro, { outcome: { status: 'pending', url: 'https://pay.example/1', reference } });
      ok(await billing().addOrder(order));
      const scale = { tier: 'scale', interval: 'month' } as const;
      await billing().take(news(organizationId, { plan: scale }));
      expect(await billing().take(news(organizationId, { reference, plan: pro, occurredAt: anHourAgo() }))).toBe(false);
      expect(await present(organizationId)).toEqual(scale);
      expect(await billing().order(organizationId, order.id)).toMatchObject({ status: 'completed' });
    });

    it('about an unknown organization is nothing', async () => {
      expect([await billing().take(news(randomUUID())), await billing().take(news('nothing'))]).toEqual([false, false]);
    });
  });

  it('details are replaced as a whole', async () => {
    const organizationId = await anOrganization();
    expect(await billing().details(organizationId)).toBeNull();
    const address = { line1: 'Kai 1', line2: null, city: 'Wien', postalCode: '1010', state: null, country: 'AT' };
    const details: BillingDetails = { companyName: 'Shop', billingEmail: null, address, vatId: 'ATU1' };
    await billing().saveDetails(organizationId, details);
    await billing().saveDetails(organizationId, { ...details, companyName: null });
    expect(await lab().other.billing.details(organizationId)).toEqual({ ...details, companyName: null });
  });

  it('the first acceptance of a version stays', async () => {
    const organizationId = await anOrganization();
    const accept = (version: string, acceptedBy: string) =>
      billing().acceptAgreement({ organizationId, agreement: 'terms', version, acceptedBy });
    const first = await accept('1', 'ada@shop.example');
    expect(first).toEqual({ agreement: 'terms', version: '1', acceptedAt: expect.any(Date), acceptedBy: 'ada@shop.example' });
    expect(await accept('1', 'bob@shop.example')).toEqual(first);
    await accept('2', 'bob@shop.example');
    expect((await lab().other.billing.acceptances(organizationId)).map(({ version }) => version).sort()).toEqual(['1', '2']);
    expect(await billing().acceptances(await anOrganization())).toEqual([]);
  });
}
