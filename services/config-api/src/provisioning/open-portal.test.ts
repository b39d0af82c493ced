import { createPortalBudget } from '@sluice/crm-writer';
import { createMemoryKeyValue } from '@sluice/kv-memory';
import { type CrmClient, type CrmResult, monotonicClock } from '@sluice/ports';
import { createOpenPortal } from './open-portal';

const unauthorized: CrmResult<never> = {
  ok: false,
  kind: 'fatal',
  status: 401,
  code: 'crm_unauthorized',
  message: 'the token has expired',
};
const rate = { max: 1, remaining: 0, intervalMs: 60_000 };

/** A portal whose CRM gives the answers of the test; the clock moves only during sleeps. */
async function lab(crm: Partial<CrmClient>) {
  const clock = { now: 0 };
  const calls: string[] = [];
  const kv = createMemoryKeyValue({ now: () => clock.now });
  const monotonicNow = monotonicClock(() => clock.now);
  const token = { credentialId: 'credential', portalId: 'portal', accessToken: 'first', expiresAt: null };
  const open = createOpenPortal({
    crm: crm as CrmClient, budget: createPortalBudget({ kv, monotonicNow, sharers: () => 1 }), monotonicNow,
    sleep: async (ms) => { clock.now += ms; },
    reader: {
      crmAccess: (credentialId) => Promise.resolve(credentialId === 'gone' ? null : token),
      refreshCrmAccess: async (_credentialId, _stale, refresh) => {
        calls.push('refresh');
        const fresh = await refresh('refresh token');
        return fresh && { ...token, accessToken: fresh.accessToken };
      },
    },
  });
  return { open, calls, clock };
}

test('a credential that no longer exists has no portal', async () => {
  const { open } = await lab({});
  expect(await open('gone')).toBeNull();
});

test('a transient failure to refresh a token is reported as such, not as a refused token', async () => {
  const { open } = await lab({
    properties: () => Promise.resolve(unauthorized),
    refreshToken: () =>
      Promise.resolve({ ok: false, kind: 'transient', status: 503, code: 'crm_unavailable', message: 'the CRM does not answer' }),
  });
  const portal = await open('credential');
  expect(await portal!.properties('contacts')).toMatchObject({
    ok: false,
    code: 'credential_refresh_failed',
    message: 'the CRM does not answer',
  });
});

test('provisioning keeps to the portal\'s budget: a call that may not start within ten seconds fails', async () => {
  const asked: string[] = [];
  const { open, clock } = await lab({
    properties: (_access, objectType) => {
      asked.push(objectType);
      return Promise.resolve({ ok: true, status: 200, value: [], rate });
    },
  });
  const portal = await open('credential');
  for (const objectType of ['contacts', 'companies', 'deals']) await portal!.properties(objectType);
  expect(await portal!.properties('tickets')).toMatchObject({ ok: false, code: 'portal_dry' });
  expect([asked.includes('tickets'), clock.now <= 10_000]).toEqual([false, true]);
});
