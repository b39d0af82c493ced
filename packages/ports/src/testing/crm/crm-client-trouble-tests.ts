import type { CrmResult } from '../../crm/crm-call';
import { portalCalls, secretToken, tokenCalls } from './crm-client-calls';
import { createContacts, inTime, readOne, valueOf, written, type CrmClientLab, type CrmTrouble } from './crm-client-lab';

const everyCall = { ...portalCalls, ...tokenCalls };
const methods = Object.keys(everyCall) as (keyof typeof everyCall)[];
/** Calls whose good answer says nothing: whatever 2xx comes is good. */
const saysNothing = new Set<string>(['batchArchive', 'batchArchiveAssociations', 'batchArchiveLabels', 'createPropertyGroup']);

/** What goes wrong: each failure is a value, says what kind it is, and was one call. */
export function crmTroubleTests(lab: () => CrmClientLab): void {
  const upsert = (options = inTime): Promise<CrmResult<unknown>> => portalCalls.batchUpsert(lab().client, lab().access, options);
  const find = async (): Promise<number> =>
    valueOf(
      await lab().client.batchRead(lab().access, 'contacts', { ids: ['a@x.co'], idProperty: 'email', properties: [] }, inTime),
    ).results.length;

  it.each<[CrmTrouble, object]>([
    [{ status: 400 }, { kind: 'permanent', code: 'crm_rejected' }],
    [{ status: 401 }, { kind: 'fatal', code: 'crm_unauthorized' }],
    [{ status: 403 }, { kind: 'fatal', code: 'crm_forbidden' }],
    [{ status: 404 }, { kind: 'permanent', code: 'crm_not_found' }],
    [{ status: 409 }, { kind: 'permanent', code: 'crm_conflict' }],
    [
      { status: 409, body: { message: 'Contact already exists. Existing ID: 51' } },
      { kind: 'permanent', code: 'crm_value_taken', holderId: '51' },
    ],
    [{ status: 414 }, { kind: 'permanent', code: 'crm_rejected' }],
    [{ status: 423 }, { kind: 'transient', code: 'crm_locked', retryAfterMs: 2_000 }],
    [
      { status: 423, retryAfterS: 5 },
      { kind: 'transient', code: 'crm_locked', retryAfterMs: 5_000 },
    ],
    [{ status: 429 }, { kind: 'transient', code: 'crm_rate_limited', retryAfterMs: 1_000 }],
    [
      { status: 429, retryAfterS: 3 },
      { kind: 'transient', code: 'crm_rate_limited', retryAfterMs: 3_000 },
    ],
    [
      { status: 429, body: { policyName: 'TEN_SECONDLY_ROLLING' } },
      { kind: 'transient', code: 'crm_rate_limited', retryAfterMs: 10_000 },
    ],
    [
      { status: 429, body: { policyName: 'DAILY' } },
      { kind: 'transient', code: 'crm_rate_limited', retryAfterMs: 900_000 },
    ],
    [
      { status: 477, retryAfterS: 60 },
      { kind: 'transient', code: 'crm_migrating', retryAfterMs: 60_000 },
    ],
    [{ status: 500 }, { kind: 'transient', code: 'crm_unavailable' }],
    [
      { status: 503, retryAfterS: 7 },
      { kind: 'transient', code: 'crm_unavailable', retryAfterMs: 7_000 },
    ],
    [{ status: 524 }, { kind: 'transient', code: 'crm_unavailable' }],
  ])('%j is %j', async (trouble, expected) => {
    await lab().trouble({ times: 1, ...trouble });
    const answer = await upsert();
    expect(answer).toMatchObject({ ok: false, status: trouble.status, ...expected });
    if (!('retryAfterMs' in expected)) expect(answer).not.toHaveProperty('retryAfterMs');
    expect([await find(), (await upsert()).ok]).toEqual([0, true]);
  });

  it("passes on the CRM's own words, so that a caller can tell which property was refused", async () => {
    const body = {
      status: 'error',
      message: 'Property values were not valid',
      category: 'VALIDATION_ERROR',
      errors: [{ message: 'bad', code: 'INVALID_EMAIL', context: { propertyName: ['email'] } }],
    };
    await lab().trouble({ status: 400, body });
    expect(await upsert()).toMatchObject({ message: 'Property values were not valid', body });
  });

  it.each(methods)('%s is one call, whatever becomes of it: nothing is repeated', async (method) => {
    const troubles: CrmTrouble[] = [
      { status: 500 },
      { status: 429, retryAfterS: 0 },
      { status: 423, retryAfterS: 0 },
      { status: 401 },
      { cut: true },
    ];
    for (const [index, trouble] of troubles.entries()) {
      await lab().trouble(trouble);
      expect(await everyCall[method](lab().client, lab().access, inTime)).toMatchObject({
        ok: false,
        status: trouble.status ?? 0,
      });
      expect(await lab().calls()).toBe(index + 1);
    }
  });

  it.each(methods)('%s answers a cut connection as transient with status 0', async (method) => {
    for (const landed of [false, true]) {
      await lab().trouble({ cut: true, landed });
      expect(await everyCall[method](lab().client, lab().access, inTime)).toMatchObject({
        ok: false,
        kind: 'transient',
        code: 'crm_unreachable',
        status: 0,
      });
    }
  });

  it.each([
    { cut: true, landed: true },
    { status: 500, landed: true },
  ])('a write that failed in passing (%j) may have landed all the same', async (trouble) => {
    await lab().trouble({ times: 1, ...trouble });
    expect(await upsert()).toMatchObject({ ok: false, kind: 'transient' });
    expect(await find()).toBe(1);
    const [record] = valueOf(
      await lab().client.batchUpsert(
        lab().access,
        'contacts',
        'email',
        [{ id: 'a@x.co', ...written('t', { city: 'Rome' }) }],
        inTime,
      ),
    ).results;
    expect(record!.isNew).toBe(false);
  });

  it.each(methods.filter((method) => !saysNothing.has(method)))(
    '%s takes a 2xx it cannot read for no answer, never for an empty one',
    async (method) => {
      for (const body of ['<html>Sign in</html>', {}, null]) {
        await lab().trouble({ status: 200, body, landed: true });
        expect(await everyCall[method](lab().client, lab().access, inTime)).toMatchObject({
          ok: false,
          kind: 'transient',
          code: 'crm_unreadable',
          status: 0,
        });
      }
    },
  );

  it('gives up when no answer comes in time', async () => {
    await lab().trouble({ delayMs: 1_500, status: 500, times: 1 });
    expect(await upsert({ timeoutMs: 100 })).toMatchObject({ ok: false, kind: 'transient', code: 'crm_timeout', status: 0 });
  });

  it('waits for a slow answer as long as it was told to', async () => {
    await lab().trouble({ delayMs: 100, times: 1 });
    expect((await upsert()).ok).toBe(true);
  });

  it('ends a call its caller takes back, and sends none that was taken back before', async () => {
    const gone = new AbortController();
    gone.abort();
    expect(await upsert({ ...inTime, signal: gone.signal })).toMatchObject({
      ok: false,
      kind: 'transient',
      code: 'crm_aborted',
      status: 0,
    });
    expect(await lab().calls()).toBe(0);
    const going = new AbortController();
    await lab().trouble({ delayMs: 1_500, status: 500, times: 1 });
    const answer = upsert({ ...inTime, signal: going.signal });
    going.abort();
    expect(await answer).toMatchObject({ ok: false, kind: 'transient', code: 'crm_aborted', status: 0 });
  });

  it('says what the CRM said of its limits, refusals included; searches say nothing', async () => {
    expect((await upsert()).rate).toBeUndefined();
    await lab().limit({ callsPer10s: 2, searchesPerS: 1_000 });
    expect((await upsert()).rate).toMatchObject({ max: 2, intervalMs: 10_000 });
    expect((await portalCalls.search(lab().client, lab().access, inTime)).rate).toBeUndefined();
    expect((await upsert()).rate).toEqual({ max: 2, remaining: 0, intervalMs: 10_000 });
    expect(await upsert()).toMatchObject({
      ok: false,
      status: 429,
      code: 'crm_rate_limited',
      retryAfterMs: 10_000,
      rate: { max: 2, remaining: 0, intervalMs: 10_000 },
    });
  });

  it('tells the limit of searches from the limit of calls', async () => {
    await lab().limit({ searchesPerS: 0 });
    expect(await portalCalls.search(lab().client, lab().access, inTime)).toMatchObject({
      ok: false,
      status: 429,
      code: 'crm_rate_limited',
      retryAfterMs: 1_000,
    });
    expect((await upsert()).ok).toBe(true);
  });

  it.each([500, 429])('a %i about a token is transient; every other refusal is permanent', async (status) => {
    for (const call of Object.values(tokenCalls)) {
      await lab().trouble({ status });
      expect(await call(lab().client, lab().access, inTime)).toMatchObject({ ok: false, kind: 'transient', status });
      for (const refused of [400, 401, 403, 404]) {
        await lab().trouble({ status: refused });
        expect(await call(lab().client, lab().access, inTime)).toMatchObject({
          ok: false,
          kind: 'permanent',
          code: 'crm_token_refused',
          status: refused,
        });
      }
    }
  });

  it('never shows a secret, not even one that the CRM repeats', async () => {
    const access = { ...lab().access, accessToken: secretToken };
    const said: unknown[] = [];
    const echo = { message: `no such token: ${secretToken}`, context: { token: [secretToken] } };
    for (const trouble of [
      null,
      { cut: true },
      { delayMs: 500 },
      { status: 401 },
      { status: 400, body: echo },
      { status: 503, body: echo },
    ]) {
      await lab().trouble(trouble);
      for (const call of [...Object.values(tokenCalls), portalCalls.properties])
        said.push(await call(lab().client, access, { timeoutMs: 200 }));
    }
    expect(said.map((answer) => JSON.stringify(answer)).filter((text) => text.includes(secretToken))).toEqual([]);
  });

  it('is as good as before once the trouble is over', async () => {
    for (const trouble of [{ cut: true }, { status: 503 }, { delayMs: 1_000, status: 500 }]) {
      await lab().trouble(trouble);
      await upsert({ timeoutMs: 100 });
    }
    await lab().trouble(null);
    const [id] = await createContacts(lab(), 'b@x.co');
    expect(await readOne(lab(), 'contacts', id!, 'email')).toEqual({ email: 'b@x.co' });
  });
}
