import { type BillingProvider, BillingUnavailable } from '@sluice/ports';
import { until } from '@sluice/ports/testing';
import { type Caller, startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
/** What the next calls of the provider answer, in place of those of the local one. */
let provider: Partial<BillingProvider> = {};
beforeAll(async () => { lab = await startLab({}, undefined, undefined, { billing: () => provider }); });
afterEach(() => { provider = {}; });
afterAll(() => lab.stop());

const error = (code: string) => ({ detail: { error: code } });
const at = '/api/v1/billing';
const order = (owner: Caller, body: object) => owner.post(`${at}/checkout`, body);
const pro = { tier: 'pro', interval: 'month' };
const view = async (owner: Caller) => (await owner.get(`${at}/me`).expect(200)).body;
const away = async (): Promise<never> => Promise.reject(new BillingUnavailable('the provider is away'));

describe('an order', () => {
  test('counts at once where nobody takes money, for the limits and the connectors', async () => {
    const owner = await lab.owner('free');
    const { id: connector } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
    await owner.post('/api/connectors', { name: 'Second' }).expect(402);
    expect((await order(owner, pro).expect(201)).body).toEqual(
      { order_id: expect.any(String), status: 'completed', url: null, ...pro },
    );
    expect(await view(owner)).toMatchObject({ tier: 'pro', connectors_limit: 5, seats_limit: 5 });
    await owner.post('/api/connectors', { name: 'Second' }).expect(201);
    await until('the connectors are told', () => lab.change(connector)?.organization.tier === 'pro');
    expect((await order(owner, pro).expect(409)).body).toEqual(error('already_on_plan'));
    expect((await order(owner, { ...pro, interval: 'year' }).expect(201)).body).toMatchObject({ interval: 'year' });
  });

  test.each([
    [{ tier: 'enterprise', interval: 'month' }, 'tier'], [{ tier: 'trial', interval: 'month' }, 'tier'],
    [{ tier: 'gold', interval: 'month' }, 'tier'], [{ interval: 'month' }, 'tier'], [{ tier: 'pro' }, 'interval'],
    [{ tier: 'pro', interval: 'week' }, 'interval'],
  ])('of %j is refused', async (body, field) => {
    const owner = await lab.owner('free');
    const { detail } = (await order(owner, body).expect(422)).body;
    expect(detail.map(({ loc }: { loc: string[] }) => loc)).toEqual([['body', field]]);
    expect((await view(owner)).tier).toBe('free');
  });

  test('of free ends the subscription: nothing is deleted, and nothing more can be added', async () => {
    const owner = await lab.owner('free');
    await order(owner, pro).expect(201);
    for (const name of ['One', 'Two']) await owner.post('/api/connectors', { name }).expect(201);
    expect((await order(owner, { tier: 'free', interval: 'year' }).expect(201)).body).toMatchObject(
      { status: 'completed', url: null, tier: 'free', interval: null },
    );
    expect(await view(owner)).toMatchObject({ tier: 'free', connectors_used: 2, connectors_limit: 1 });
    const { items } = (await owner.get('/api/connectors').expect(200)).body;
    await owner.patch(`/api/connectors/${items[0].id}`, { name: 'Renamed' }).expect(200);
    expect((await owner.post('/api/connectors', { name: 'Three' }).expect(402)).body.detail).toMatchObject(
      { error: 'connector_limit_reached', limit: 1, usage: 2 },
    );
    expect((await order(owner, { tier: 'free' }).expect(409)).body).toEqual(error('already_on_plan'));
  });

  test('may be made on a trial, which is over then', async () => {
    const owner = await lab.signUp('ada@billing.example');
    expect((await view(owner)).tier).toBe('trial');
    await order(owner, { tier: 'scale', interval: 'month' }).expect(201);
    expect((await view(owner)).tier).toBe('scale');
    expect((await lab.configStore.organizations.get(owner.organizationId))!.trialEndsAt).toBeNull();
  });

  test('and the tier of an operator: the later one counts, agreed limits stay', async () => {
    const owner = await lab.owner('free');
    await order(owner, pro).expect(201);
    const change = { tier: 'enterprise', limits: { seats_limit: 40 } };
    await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, change).expect(200);
    expect(await view(owner)).toMatchObject({ tier: 'enterprise', seats_limit: 40 });
    await order(owner, pro).expect(201);
    expect(await view(owner)).toMatchObject({ tier: 'pro', seats_limit: 40 });
  });

  test('that is to be paid counts once it is; confirming it again changes nothing', async () => {
    const [owner, stranger] = [await lab.owner('free'), await lab.owner('free')];
    const pay = { url: 'https://pay.example/1', reference: 'cs_1' };
    provider.order = async () => ({ status: 'pending', ...pay, customerId: 'cus_1' });
    const made = (await order(owner, pro).expect(201)).body;
    expect(made).toMatchObject({ status: 'pending', url: pay.url });
    expect((await view(owner)).tier).toBe('free');
    provider.paid = async () => null;
    const confirm = (who: Caller, id: string = made.order_id) => who.post(`${at}/orders/${id}/confirm`);
    expect((await confirm(owner).expect(409)).body).toEqual(error('order_not_paid'));
    provider.paid = async (reference) => (reference === 'cs_1' ? { customerId: 'cus_1', subscriptionId: 'sub_1' } : null);
    expect((await confirm(owner).expect(200)).body).toEqual({ ...made, status: 'completed', url: null });
    expect((await view(owner)).tier).toBe('pro');
    provider.paid = away;
    expect((await confirm(owner).expect(200)).body).toMatchObject({ status: 'completed' });
    for (const refused of [confirm(stranger), confirm(owner, 'nothing')])
      expect((await refused.expect(404)).body).toEqual({ detail: 'Not Found' });
  });

  test('while the provider is away is refused, and changes nothing', async () => {
    const owner = await lab.owner('free');
    provider = { order: away, quote: away, portalUrl: away, updateCustomer: away };
    const details = owner.put(`${at}/details`, { company_name: 'Shop' });
    for (const call of [order(owner, pro), owner.post(`${at}/change-preview`, pro), owner.post(`${at}/portal`), details])
      expect((await call.expect(502)).body).toEqual(error('billing_unavailable'));
    expect((await view(owner)).tier).toBe('free');
    expect((await owner.get(`${at}/details`).expect(200)).body.company_name).toBeNull();
  });
});

test('a preview says what a plan costs and which limits would be exceeded, and changes nothing', async () => {
  const owner = await lab.owner('free');
  await order(owner, pro).expect(201);
  for (const name of ['One', 'Two']) await owner.post('/api/connectors', { name }).expect(201);
  const preview = (body: object) => owner.post(`${at}/change-preview`, body);
  expect((await preview({ tier: 'starter', interval: 'year' }).expect(200)).body).toEqual({
    current: pro, next: { tier: 'starter', interval: 'year' }, amount_due: 0, currency: 'usd', effective_at: expect.any(String),
    exceeded: [{ limit: 'connectors_limit', used: 2, allowed: 1 }],
  });
  expect((await preview({ tier: 'free' }).expect(200)).body).toMatchObject({ next: { tier: 'free', interval: null } });
  expect((await preview({ tier: 'scale', interval: 'month' }).expect(200)).body.exceeded).toEqual([]);
  await preview({ tier: 'enterprise', interval: 'month' }).expect(422);
  expect((await view(owner)).tier).toBe('pro');
  const fresh = await lab.owner('starter');
  expect((await fresh.post(`${at}/change-preview`, pro).expect(200)).body.current).toEqual({ tier: 'starter', interval: null });
});

test('without Stripe nobody may report payments', async () => {
  const call = () => lab.api().post(`${at}/stripe/webhook`).set('stripe-signature', 't=1,v1=a');
  await call().send({}).expect(404, { detail: 'Not Found' });
});

test('the page of the customer is an address', async () => {
  expect((await (await lab.owner()).post(`${at}/portal`).expect(200)).body).toEqual({ url: 'http://sluice.test/billing' });
});

describe('details', () => {
  const empty = { line1: null, line2: null, city: null, postal_code: null, state: null, country: null };

  test('are empty at first, and replaced as a whole; the provider hears of them', async () => {
    const owner = await lab.owner();
    const nothing = { company_name: null, billing_email: null, address: empty, vat_id: null };
    expect((await owner.get(`${at}/details`).expect(200)).body).toEqual(nothing);
    const told: unknown[] = [];
    provider.updateCustomer = async (_account, details) => void told.push(details.companyName);
    const address = { line1: 'Kai 1', city: 'Wien', postal_code: '1010', country: 'AT' };
    const given = { company_name: ' Shop ', billing_email: 'bills@shop.example', address, vat_id: 'ATU1' };
    const saved = { ...given, company_name: 'Shop', address: { ...empty, ...address } };
    expect((await owner.put(`${at}/details`, given).expect(200)).body).toEqual(saved);
    expect((await owner.get(`${at}/details`).expect(200)).body).toEqual(saved);
    expect((await owner.put(`${at}/details`, { vat_id: 'ATU2' }).expect(200)).body).toEqual({ ...nothing, vat_id: 'ATU2' });
    expect(told).toEqual(['Shop', null]);
  });

  test.each([
    [{ billing_email: 'no address' }, ['body', 'billing_email']],
    [{ address: { country: 'at' } }, ['body', 'address', 'country']],
    [{ address: { country: 'AUT' } }, ['body', 'address', 'country']], [{ fax: '1' }, ['body', 'fax']],
  ])('%j is refused', async (body, loc) => {
    const { detail } = (await (await lab.owner()).put(`${at}/details`, body).expect(422)).body;
    expect(detail.map((entry: { loc: string[] }) => entry.loc)).toEqual([loc]);
  });
});

test('agreements are accepted by owners, once for each version', async () => {
  const owner = await lab.owner();
  const { items } = (await owner.get(`${at}/agreements`).expect(200)).body;
  expect(items).toMatchObject([{ id: 'terms', accepted_at: null, accepted_by: null }, { id: 'dpa', accepted_at: null }]);
  const accepted = (await owner.post(`${at}/agreements/terms/accept`).expect(200)).body;
  expect(accepted).toEqual({ ...items[0], accepted_at: expect.any(String), accepted_by: owner.email });
  expect((await owner.post(`${at}/agreements/terms/accept`).expect(200)).body).toEqual(accepted);
  expect((await owner.get(`${at}/agreements`).expect(200)).body.items).toEqual([accepted, items[1]]);
  expect((await owner.post(`${at}/agreements/nda/accept`).expect(404)).body).toEqual({ detail: 'Not Found' });
});

test('plans are the business of signed-in owners; keys read the plan', async () => {
  const owner = await lab.owner();
  const key = lab.as((await owner.post('/api/org-api-keys', { label: 'ci' }).expect(201)).body.raw_key);
  const member = await lab.member(owner.organizationId);
  await key.get(`${at}/me`).expect(200);
  for (const call of [key.post(`${at}/checkout`, pro), key.post(`${at}/portal`), key.get(`${at}/details`)])
    expect((await call.expect(403)).body).toEqual(error('user_auth_required'));
  expect((await key.post(`${at}/agreements/terms/accept`).expect(403)).body).toEqual(error('user_session_required'));
  for (const call of [member.post(`${at}/checkout`, pro), member.get(`${at}/details`), member.get(`${at}/agreements`)])
    expect((await call.expect(403)).body).toEqual(error('owner_required'));
});
