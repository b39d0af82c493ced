import type { BillingOrder, BillingProvider, Plan } from '../../billing';
import { BillingUnavailable } from '../../billing';

/** What the suite needs of an implementation. */
export interface BillingLab {
  provider: BillingProvider;
  /** Somebody pays a pending order. */
  pay(reference: string): Promise<void>;
  /** Takes the provider away, and brings it back; null: there is nothing that could go away. */
  setAway: ((away: boolean) => void) | null;
  close(): Promise<void>;
}

const pro: Plan = { tier: 'pro', interval: 'month' };
const free: Plan = { tier: 'free', interval: null };
const details = {
  companyName: 'Shop', billingEmail: 'bills@shop.example', vatId: null,
  address: { line1: null, line2: null, city: 'Wien', postalCode: null, state: null, country: 'AT' },
};

/** Behaviour of every provider of billing. */
export function billingConformance(name: string, open: () => Promise<BillingLab>): void {
  describe(`${name} is a billing provider`, () => {
    let lab: BillingLab;
    beforeEach(async () => { lab = await open(); });
    afterEach(() => lab.close());
    const organizationId = 'b6a3f6e0-3b0f-4b5e-8f0e-5d3f5f6f7a10';
    const fresh = { organizationId, customerId: null, subscriptionId: null };
    const order = (over: Partial<BillingOrder> = {}): BillingOrder =>
      ({ orderId: '5d1f2c84-2c3a-4d0e-9a39-0d7c4ea1f6b2', account: fresh, plan: pro, email: 'ada@shop.example', ...over });

    /** Orders and pays: what the provider knows the organization by from then on. */
    async function bought() {
      const outcome = await lab.provider.order(order());
      if (outcome.status === 'completed') return { ...fresh, ...outcome };
      expect(await lab.provider.paid(outcome.reference)).toBeNull();
      await lab.pay(outcome.reference);
      return { ...fresh, ...(await lab.provider.paid(outcome.reference))! };
    }

    it('an order counts at once, or once it is paid at an address', async () => {
      const outcome = await lab.provider.order(order());
      if (outcome.status === 'pending') expect(URL.canParse(outcome.url)).toBe(true);
      else expect(outcome.effectiveAt).toBeNull();
    });

    it('the same order a second time makes nothing twice', async () => {
      expect(await lab.provider.order(order())).toEqual(await lab.provider.order(order()));
    });

    it('a plan in force is changed without another payment page, and ended', async () => {
      const account = await bought();
      const change = order({ orderId: '0b6bdf4f-6f4e-4d2d-b6d6-6f0f2a0f3b11', account,
        plan: { tier: 'scale', interval: 'year' } });
      expect(await lab.provider.order(change)).toMatchObject({ status: 'completed', effectiveAt: null });
      const end = await lab.provider.order(order({ orderId: 'c7a0b8de-51bb-43f0-9f04-1d5b2f9d0c12', account, plan: free }));
      expect(end.status).toBe('completed');
    });

    it('the end of nothing is completed at once', async () => {
      expect(await lab.provider.order(order({ plan: free }))).toMatchObject({ status: 'completed', effectiveAt: null });
    });

    it('a quote is in whole cents of a currency, and changes nothing', async () => {
      const account = await bought();
      for (const [of, plan] of [[fresh, pro], [account, { tier: 'scale', interval: 'month' }], [account, free]] as const) {
        const quote = await lab.provider.quote({ account: of, plan, email: null });
        expect(Number.isSafeInteger(quote.amountDue)).toBe(true);
        expect(quote.currency).toMatch(/^[a-z]{3}$/);
        expect(quote.effectiveAt.getTime()).not.toBeNaN();
      }
      expect((await lab.provider.quote({ account: fresh, plan: free, email: null })).amountDue).toBe(0);
    });

    it('has a page for customers and for those who are none yet, and takes their details', async () => {
      for (const account of [fresh, await bought()]) {
        expect(URL.canParse(await lab.provider.portalUrl(account))).toBe(true);
        expect(await lab.provider.updateCustomer(account, details)).toBeUndefined();
      }
    });

    it('while it is away every call says so, and the same order is made when it is back', async () => {
      const { setAway, provider } = lab;
      if (setAway === null) return void expect(provider.messages).toBeNull();
      const account = await bought();
      setAway(true);
      const calls = [
        () => provider.order(order()), () => provider.quote({ account, plan: pro, email: null }), () => provider.paid('cs_1'),
        () => provider.portalUrl(account), () => provider.updateCustomer(account, details),
      ];
      for (const call of calls) await expect(call()).rejects.toBeInstanceOf(BillingUnavailable);
      setAway(false);
      expect(await provider.order(order())).toBeDefined();
    });
  });
}
