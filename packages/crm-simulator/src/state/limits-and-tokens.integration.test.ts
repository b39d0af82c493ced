import { startForTest, type RunningSimulator } from '../testing/start-for-test';

let now = Date.UTC(2026, 0, 1);
let run: RunningSimulator;
beforeAll(async () => {
  run = await startForTest({ now: () => now });
});
beforeEach(() => run.call('POST', '/_sim/reset'));
afterAll(() => run.simulator.stop());

const portal = (settings: Record<string, unknown>) => run.call('PATCH', '/_sim/portals/1000001', settings);
const list = (token?: string) => run.call('GET', '/crm/v3/objects/contacts', undefined, token);
const search = () => run.call('POST', '/crm/v3/objects/contacts/search', {});
const form = (fields: Record<string, string>) => new URLSearchParams({ client_id: 'c', client_secret: 's', ...fields });

describe('rate limits', () => {
  it('are off and silent unless set', async () => {
    expect((await list()).headers.get('x-hubspot-ratelimit-max')).toBeNull();
  });

  it('roll over ten seconds, with headers, searches apart', async () => {
    await portal({ burst_per_10s: 2 });
    const first = await list();
    expect([
      first.headers.get('x-hubspot-ratelimit-max'),
      first.headers.get('x-hubspot-ratelimit-remaining'),
      first.headers.get('x-hubspot-ratelimit-interval-milliseconds'),
    ]).toEqual(['2', '1', '10000']);
    now += 6_000;
    await list();
    const refused = await list();
    expect(refused).toMatchObject({
      status: 429,
      body: {
        message: 'You have reached your ten_secondly_rolling limit.',
        errorType: 'RATE_LIMIT',
        policyName: 'TEN_SECONDLY_ROLLING',
        groupName: expect.stringMatching(/^publicapi:private_app-api-calls-ten-secondly:1:\d+$/),
      },
    });
    expect((await search()).status).toBe(200);
    now += 4_000;
    expect((await list()).status).toBe(200);
    expect((await list()).status).toBe(429);
    expect((await run.call('GET', '/_sim/stats?portal_id=1000001')).body.rejected_by_limit).toBe(2);
  });

  it('hold searches to so many a second and everything to so many a day', async () => {
    await portal({ search_per_s: 1 });
    expect((await search()).status).toBe(200);
    expect(await search()).toMatchObject({
      status: 429,
      body: { message: 'You have reached your secondly limit.', policyName: 'SECONDLY' },
    });
    now += 1_000;
    expect((await search()).status).toBe(200);
    await portal({ search_per_s: null, daily_limit: 1 });
    now += 86_400_000;
    expect((await list()).headers.get('x-hubspot-ratelimit-daily-remaining')).toBe('0');
    expect(await list()).toMatchObject({ status: 429, body: { policyName: 'DAILY' } });
  });
});

describe('tokens and scopes', () => {
  it('refuses calls without a good token', async () => {
    expect(await list('nonsense')).toMatchObject({ status: 401, body: { category: 'INVALID_AUTHENTICATION' } });
  });

  it('lets refreshed tokens expire, the first one never', async () => {
    await portal({ token_ttl_s: 60 });
    const made = await run.call(
      'POST',
      '/oauth/v1/token',
      form({ grant_type: 'refresh_token', refresh_token: 'sim-refresh-1000001' }),
    );
    expect(made.body).toMatchObject({ token_type: 'bearer', expires_in: 60, refresh_token: 'sim-refresh-1000001' });
    expect((await list(made.body.access_token)).status).toBe(200);
    now += 65_000;
    expect(await list(made.body.access_token)).toMatchObject({
      status: 401,
      body: { category: 'EXPIRED_AUTHENTICATION', message: 'The OAuth token used to make this call expired 5 second(s) ago.' },
    });
    expect((await list()).status).toBe(200);
  });

  it('refuses bad grants in the words of each era', async () => {
    const bad = form({ grant_type: 'refresh_token', refresh_token: 'nope' });
    expect(await run.call('POST', '/oauth/v1/token', bad)).toMatchObject({ status: 400, body: { status: 'BAD_REFRESH_TOKEN' } });
    expect(await run.call('POST', '/oauth/2026-09/token', bad)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await run.call('POST', '/oauth/v1/token', new URLSearchParams({ grant_type: 'refresh_token' }))).toMatchObject({
      status: 400,
      body: { status: 'BAD_CLIENT_ID' },
    });
  });

  it('revokes refresh tokens and introspects in both eras', async () => {
    expect((await run.call('GET', '/oauth/v1/refresh-tokens/sim-refresh-1000001')).body).toMatchObject({
      hub_id: 1000001,
      token_type: 'refresh',
    });
    expect((await run.call('POST', '/oauth/v3/token/introspect', form({ token: 'sim-access-1000001' }))).body).toMatchObject({
      active: true,
      hub_id: 1000001,
      token_use: 'access_token',
    });
    expect((await run.call('POST', '/oauth/v3/token/introspect', form({ token: 'x' }))).body).toEqual({ active: false });
    expect((await run.call('DELETE', '/oauth/v1/refresh-tokens/sim-refresh-1000001')).status).toBe(204);
    expect(
      (await run.call('POST', '/oauth/v1/token', form({ grant_type: 'refresh_token', refresh_token: 'sim-refresh-1000001' })))
        .status,
    ).toBe(400);
  });

  it('redeems an install code once', async () => {
    const code = form({ grant_type: 'authorization_code', code: 'sim-code-1000001', redirect_uri: 'http://x' });
    expect((await run.call('POST', '/oauth/v1/token', code)).body.refresh_token).toBe('sim-refresh-1000001');
    expect((await run.call('POST', '/oauth/v1/token', code)).body.status).toBe('BAD_AUTH_CODE');
  });

  it('accepts only its own app when one is named', async () => {
    const strict = await startForTest({ clientId: 'app', clientSecret: 'secret' });
    const grant = { grant_type: 'refresh_token', refresh_token: 'sim-refresh-1000001' };
    expect((await strict.call('POST', '/oauth/v1/token', form(grant))).body.status).toBe('BAD_CLIENT_ID');
    expect(
      (await strict.call('POST', '/oauth/v1/token', form({ ...grant, client_id: 'app', client_secret: 'no' }))).body.status,
    ).toBe('BAD_CLIENT_SECRET');
    expect(
      (await strict.call('POST', '/oauth/v1/token', form({ ...grant, client_id: 'app', client_secret: 'secret' }))).status,
    ).toBe(200);
    await strict.simulator.stop();
  });

  it('answers a missing scope with 403 and the scopes that would do', async () => {
    await portal({ scopes: ['oauth', 'crm.objects.contacts.read'] });
    expect((await list()).status).toBe(200);
    const refused = await run.call('POST', '/crm/v3/objects/contacts', { properties: { email: 'a@x.co' } });
    expect(refused).toMatchObject({
      status: 403,
      body: {
        category: 'MISSING_SCOPES',
        links: { scopes: expect.any(String) },
        errors: [{ context: { requiredGranularScopes: ['crm.objects.contacts.write'] } }],
      },
    });
    const both = await run.call('GET', '/crm/v4/objects/contacts/1/associations/companies');
    expect(both.body.errors[0].context.requiredGranularScopes).toEqual([
      'crm.objects.contacts.read',
      'crm.objects.companies.read',
    ]);
  });
});

it('attributes token requests to their portal, for faults and the call log', async () => {
  await run.call('POST', '/_sim/faults', { portal_id: 1000001, path: '/oauth/', status: 503, times: 1 });
  const grant = form({ grant_type: 'refresh_token', refresh_token: 'sim-refresh-1000001' });
  const anonymous = (): Promise<number> =>
    fetch(`${run.url}/oauth/v1/token`, { method: 'POST', body: grant }).then((response) => response.status);
  expect([await anonymous(), await anonymous()]).toEqual([503, 200]);
  expect((await run.call('GET', '/_sim/calls?portal_id=1000001&path=oauth')).body.total).toBe(2);
});

it('refuses a request target that is too long', async () => {
  expect((await run.call('GET', `/crm/v3/objects/contacts?properties=${'x'.repeat(17_000)}`)).status).toBe(414);
});
