import {
  CredentialRefreshBusy, type CrmClient, type CrmCredentialAccess, type CrmResult, monotonicClock, StoreUnavailable,
  type WorkClass,
} from '@sluice/ports';
import { answered, failed } from '../test-support/fake-session';
import type { CallKind, PortalBudget } from './portal-budget';
import { createPortalSession, forNoUnit, type CallContext, type CallObserver } from './portal-session';

const refusedToken = failed('fatal', 401, 'crm_unauthorized');
const access = (accessToken: string): CrmCredentialAccess => ({
  credentialId: 'cred',
  portalId: 'p',
  accessToken,
  expiresAt: null,
});

/** A session whose CRM gives the answers in turn; time passes only in sleeps. */
function lab(
  answers: (CrmResult<string> | Promise<CrmResult<string>>)[],
  options: {
    waits?: number[];
    takesMs?: number;
    stored?: string | null;
    insideLease?: boolean;
    refreshBusy?: boolean;
    refresh?: CrmResult<{ accessToken: string; refreshToken: string; expiresInS: number }>;
  } = {},
) {
  const seen = {
    tokens: [] as string[],
    slept: [] as number[],
    taken: 0,
    classes: [] as WorkClass[],
    refreshes: 0,
    timed: [] as string[],
    refused: [] as unknown[],
    ranDry: [] as unknown[],
    rates: [] as unknown[],
    called: [] as Parameters<CallObserver['called']>[0][],
  };
  let at = 0;
  const waits = options.waits ?? [];
  const budget: PortalBudget = {
    take: (_portalId, _kind, workClass) => {
      seen.taken += 1;
      seen.classes.push(workClass);
      return Promise.resolve(waits.shift() ?? 0);
    },
    dryForMs: () => 0,
    apply: (portalId, rate) => {
      seen.rates.push([portalId, rate]);
    },
    refused: (...refusal) => {
      seen.refused.push(refusal);
    },
    ranDry: (...dry) => {
      seen.ranDry.push(dry);
    },
  };
  const client = {
    refreshToken: () =>
      Promise.resolve(options.refresh ?? answered({ accessToken: 'new', refreshToken: 'r2', expiresInS: 1_800 })),
  } as Partial<CrmClient> as CrmClient;
  let stored: string | null | Error = options.stored === undefined ? 'old' : options.stored;
  const session = createPortalSession(
    {
      client,
      budget,
      observer: { called: (call) => { seen.called.push(call); } },
      callTimeoutMs: 1_000,
      monotonicNow: monotonicClock(() => at),
      sleep: (ms) => {
        at += ms;
        seen.slept.push(ms);
        return Promise.resolve();
      },
      insideLease: () => Promise.resolve(options.insideLease ?? true),
      callStarted: () => {
        seen.timed.push(`started ${at}`);
        return () => { seen.timed.push(`ended ${at}`); };
      },
      reader: {
        crmAccess: async () => {
          if (stored instanceof Error) throw stored;
          return stored === null ? null : access(stored);
        },
        refreshCrmAccess: async (_id, _stale, refresh) => {
          seen.refreshes += 1;
          if (options.refreshBusy) throw new CredentialRefreshBusy('busy');
          const fresh = await refresh('r1');
          if (fresh) stored = fresh.accessToken;
          return fresh && access(fresh.accessToken);
        },
      },
    },
    { credentialId: 'cred', portalId: 'p' },
  );
  const call = (callContext = forNoUnit, kind: CallKind = 'write'): Promise<CrmResult<string>> =>
    session.call(
      kind,
      (_client, { accessToken }) => {
        seen.tokens.push(accessToken);
        at += options.takesMs ?? 0;
        return Promise.resolve(answers.shift()!);
      },
      callContext,
    );
  const store = (token: string | null | Error): void => { stored = token; };
  const pass = (ms: number): void => { at += ms; };
  return { seen, call, session, store, pass };
}

describe('portal session', () => {
  it('waits for the budget within its limit', async () => {
    const { seen, call } = lab([answered('done')], { waits: [700, 900] });
    expect(await call()).toMatchObject({ ok: true, value: 'done' });
    expect(seen.slept).toEqual([700, 900]);
  });

  it('fails as portal_dry when it would have to wait longer for the budget', async () => {
    const { seen, call } = lab([], { waits: [1_500, 600] });
    expect(await call()).toMatchObject({ ok: false, kind: 'transient', code: 'portal_dry', retryAfterMs: 600 });
    expect(seen.tokens).toEqual([]);
    expect(seen.ranDry).toEqual([['p', 600]]);
  });

  it('waits longer with work that is not live, and tells no live call that the portal is dry', async () => {
    const asImport = { ...forNoUnit, workClass: () => 'import' as const };
    const { seen, call } = lab([answered('done')], { waits: [4_000, 2_000, 3_000, 2_000, 3_900] });
    expect(await call(asImport)).toMatchObject({ ok: true });
    expect(seen.slept).toEqual([250, 250, 250, 250, 250]);
    const waiting = lab([], { waits: Array.from({ length: 30 }, () => 400) });
    expect(await waiting.call(asImport)).toMatchObject({ ok: false, code: 'portal_dry', retryAfterMs: 400 });
    expect(new Set(waiting.seen.classes)).toEqual(new Set(['import']));
    expect(waiting.seen.slept).toHaveLength(19);
    expect(waiting.seen.ranDry).toEqual([]);
  });

  it('goes on as live once live work waits for it, with the whole patience of that', async () => {
    const classes: WorkClass[] = ['import', 'import', 'live', 'live', 'live'];
    const { seen, call } = lab([answered('done')], { waits: [3_000, 3_000, 1_000, 900] });
    let at = 0;
    expect(await call({ ...forNoUnit, workClass: () => classes[at++]! })).toMatchObject({ ok: true });
    expect(seen.classes).toEqual(['import', 'import', 'live', 'live', 'live']);
    expect(seen.slept).toEqual([250, 250, 1_000, 900]);
  });

  it('sends nothing once the lease is lost', async () => {
    const { seen, call } = lab([], { insideLease: false });
    expect(await call()).toMatchObject({ ok: false, kind: 'transient', code: 'lease_lost' });
    expect(seen.tokens).toEqual([]);
  });

  it('tells when a write starts and ends, and nothing of a read', async () => {
    const { seen, call } = lab([answered('done'), answered('read')], { takesMs: 300 });
    for (const kind of ['write', 'read'] as const) await call(forNoUnit, kind);
    expect(seen.timed).toEqual(['started 0', 'ended 300']);
  });

  it.each([
    [[false], []],
    [[true, false], ['old']],
  ])('checks before each send, repeats included, that the partition is still owned (%j)', async (owned, tokens) => {
    const { seen, call } = lab([refusedToken]);
    expect(await call({ owned: () => owned.shift()! })).toMatchObject({ ok: false, code: 'lease_lost' });
    expect(seen.tokens).toEqual(tokens);
  });

  it('refreshes a stale token once, repeats the call, and keeps the new token', async () => {
    const { seen, call } = lab([refusedToken, answered('a'), answered('b')]);
    expect(await call()).toMatchObject({ ok: true, value: 'a' });
    expect(await call()).toMatchObject({ ok: true, value: 'b' });
    expect(seen).toMatchObject({ tokens: ['old', 'new', 'new'], refreshes: 1, taken: 3 });
  });

  it('uses a token that was stored meanwhile a second later, though the CRM still takes the old one', async () => {
    const { seen, call, store, pass } = lab([answered('a'), answered('b'), answered('c')]);
    await call();
    store('stored later');
    pass(999);
    await call();
    pass(1);
    expect(await call()).toMatchObject({ ok: true, value: 'c' });
    expect(seen).toMatchObject({ tokens: ['old', 'old', 'stored later'], refreshes: 0 });
  });

  it('ends its calls with the token it knows while the store is away', async () => {
    const { seen, call, store, pass } = lab([answered('a'), answered('b')]);
    await call();
    store(new StoreUnavailable('down'));
    pass(1_000);
    expect(await call()).toMatchObject({ ok: true, value: 'b' });
    expect(seen.tokens).toEqual(['old', 'old']);
    pass(30_000);
    await expect(call()).rejects.toThrow('down');
  });

  it('says which token a call would carry', async () => {
    const { session, store, pass } = lab([]);
    expect(await session.accessToken()).toBe('old');
    store(null);
    pass(1_000);
    expect(await session.accessToken()).toBeNull();
  });

  it('fails as portal_dry before the repeat when the budget has run out meanwhile', async () => {
    const { seen, call } = lab([refusedToken, answered('a')], { waits: [0, 9_000] });
    expect(await call()).toMatchObject({ ok: false, kind: 'transient', code: 'portal_dry', retryAfterMs: 9_000 });
    expect(seen).toMatchObject({ tokens: ['old'], refreshes: 1 });
  });

  it('uses the new token for a call that was refused while another one refreshed', async () => {
    let refuseLate!: (answer: CrmResult<string>) => void;
    const late = new Promise<CrmResult<string>>((resolve) => { refuseLate = resolve; });
    const { seen, call } = lab([refusedToken, late, answered('a'), answered('b')]);
    const [first, second] = [call(), call()];
    expect(await first).toMatchObject({ ok: true, value: 'a' });
    refuseLate(refusedToken);
    expect(await second).toMatchObject({ ok: true, value: 'b' });
    expect(seen).toMatchObject({ tokens: ['old', 'old', 'new', 'new'], refreshes: 1 });
  });

  it('returns the refusal of a fresh token', async () => {
    const { seen, call } = lab([refusedToken, refusedToken]);
    expect(await call()).toBe(refusedToken);
    expect(seen).toMatchObject({ tokens: ['old', 'new'], refreshes: 1 });
  });

  it('returns the refusal when the credential cannot be refreshed any more', async () => {
    const { seen, call } = lab([refusedToken], { refresh: failed('permanent', 400) });
    expect(await call()).toBe(refusedToken);
    expect(seen.tokens).toEqual(['old']);
  });

  it('fails transiently when the refresh fails transiently', async () => {
    const { call } = lab([refusedToken], { refresh: failed('transient', 503) });
    expect(await call()).toMatchObject({ ok: false, kind: 'transient', code: 'credential_refresh_failed' });
  });

  it('fails transiently while somebody else refreshes the token', async () => {
    const { call } = lab([refusedToken], { refreshBusy: true });
    const busy = { ok: false, kind: 'transient', code: 'credential_refresh_busy', retryAfterMs: 1_000 };
    expect(await call()).toMatchObject(busy);
  });

  it('fails as fatal without the credential', async () => {
    const { call } = lab([], { stored: null });
    expect(await call()).toMatchObject({ ok: false, kind: 'fatal', code: 'crm_credential_gone' });
  });

  it('reports the answer to budget and observer', async () => {
    const rate = { max: 100, remaining: 9, intervalMs: 10_000 };
    const { seen, call } = lab([
      { ...failed('transient', 429, 'crm_rate_limited'), retryAfterMs: 3_000, rate } as CrmResult<never>,
    ]);
    expect(await call()).toMatchObject({ ok: false, status: 429 });
    expect(seen.rates).toEqual([['p', rate]]);
    expect(seen.refused).toEqual([['p', 'write', 3_000]]);
    expect(seen.called).toEqual([
      {
        ...{ portalId: 'p', kind: 'write', status: 429, ms: 0, ok: false },
        ...{ code: 'crm_rate_limited', failure: 'transient', connectorIds: [] },
      },
    ]);
  });

  it.each<[CrmResult<string>, boolean]>([
    [answered('done'), false],
    [failed('transient', 0, 'crm_timeout'), true],
    [failed('transient', 0, 'crm_unreachable'), true],
    [failed('transient', 0, 'crm_unreadable'), true],
    [failed('transient', 502), true],
    [failed('transient', 504), true],
    [failed('transient', 524), true],
    [failed('transient', 0, 'crm_not_reached'), false],
    [failed('transient', 500), false],
    [failed('transient', 503), false],
    [failed('transient', 429), false],
    [failed('permanent', 400), false],
  ])('reports a write that may still take effect, and how long ago it was sent (%j: %s)', async (answer, told) => {
    const { call } = lab([answer], { waits: [700], takesMs: 40 });
    const ages: number[] = [];
    await call({
      ...forNoUnit,
      unanswered: (sentMsAgo) => {
        ages.push(sentMsAgo);
      },
    });
    expect(ages).toEqual(told ? [40] : []);
  });

  it('reports no read, and no call that was not sent', async () => {
    const { session, call } = lab([], { waits: [0, 9_000] });
    const ages: number[] = [];
    const callContext: CallContext = { ...forNoUnit, unanswered: (sentMsAgo) => { ages.push(sentMsAgo); } };
    await session.call('read', () => Promise.resolve(failed('transient', 0, 'crm_timeout')), callContext);
    await call(callContext);
    expect(ages).toEqual([]);
  });
});
