import type { SourceCredential } from '@sluice/ports';
import { restTargetsConformance } from '@sluice/ports/testing';
import { eventually } from '@sluice/testkit';
import { startTargetsLab, type TargetsLab } from './test-support/targets-lab';

restTargetsConformance('the REST targets over HTTP', async () => {
  const lab = await startTargetsLab();
  return {
    targets: lab.targets.forRun(lab.run()),
    answerNext: (answer) => lab.destination.answerNext(answer),
    received: () => lab.destination.received.map(({ method, path, body }) => ({ method, url: path.replace('/api', ''), body })),
    close: lab.close,
  };
});

describe('requests to REST destinations', () => {
  let lab: TargetsLab;
  beforeEach(async () => { lab = await startTargetsLab(); });
  afterEach(() => lab.close());
  const last = () => lab.destination.received.at(-1)!;

  it('carry default headers, headers of the step, secret headers and the credential; a later one wins', async () => {
    lab.credentials.erp = { type: 'bearer_token', data: { token: 't0ken' } };
    lab.credentials.second = { type: 'api_key', data: { value: 'k3y' } };
    await lab.send(
      { headers: { 'X-Default': 'step', 'X-Step': '1', authorization: 'Bearer of-the-step', 'x-second': 'step' } },
      {
        credential_name: 'erp', secret_headers: { 'X-Second': 'second' },
        default_headers: { 'X-Default': 'source', 'X-Version': '2', Accept: 'application/vnd.erp+json' },
      },
    );
    expect(last().headers).toMatchObject({
      'x-default': 'step', 'x-version': '2', 'x-step': '1', accept: 'application/vnd.erp+json', 'x-second': 'k3y',
      authorization: 'Bearer t0ken', 'content-type': 'application/json', 'user-agent': 'sluice',
    });
  });

  it('have the same Idempotency-Key when they are repeated; other steps, events and runs have others', async () => {
    const keyOf = async (request = {}, run = {}): Promise<unknown> => {
      await lab.send(request, {}, run);
      return last().headers['idempotency-key'];
    };
    const key = await keyOf();
    expect(key).toMatch(/^[0-9a-f]{40}$/);
    expect(await keyOf()).toBe(key);
    const others = [
      await keyOf({ stepId: 'other' }), await keyOf({}, { unitKey: 'evt_2/0/first' }),
      await keyOf({}, { unitKey: 'evt_1/0/again' }), await keyOf({}, { flowName: 'other' }),
    ];
    expect(new Set([key, ...others]).size).toBe(5);
    expect(await keyOf({ headers: { 'Idempotency-Key': 'own' } })).toBe('own');
    expect(await keyOf({ method: 'GET', body: undefined })).toBeUndefined();
  });

  it('send a text unchanged when the content type is not JSON', async () => {
    await lab.send({ body: '<order id="17"/>', headers: { 'Content-Type': 'application/xml' } });
    expect(last()).toMatchObject({ body: '<order id="17"/>', headers: { 'content-type': 'application/xml' } });
    await lab.send({ body: 'text' });
    expect(last()).toMatchObject({ body: 'text', headers: { 'content-type': 'application/json', 'content-length': '6' } });
  });

  it('tell when they start and end, except for reads', async () => {
    const under: string[] = [];
    await lab.close();
    lab = await startTargetsLab({ callStarted: () => {
      under.push('started');
      return () => { under.push(`ended after ${lab.destination.received.length}`); };
    } });
    await lab.send();
    await lab.send({ method: 'GET', body: undefined });
    expect(under).toEqual(['started', 'ended after 1']);
    expect(lab.destination.received).toHaveLength(2);
  });

  it('to a whole URL carry no credential', async () => {
    lab.credentials.erp = { type: 'bearer_token', data: { token: 't0ken' } };
    const source = { credential_name: 'erp', default_headers: { 'X-A': '1' } };
    await lab.send({ target: null, url: `${lab.destination.url}/hook` }, source);
    expect(last().path).toBe('/hook');
    expect(last().headers).not.toHaveProperty('authorization');
    expect(last().headers).not.toHaveProperty('x-a');
  });

  it('are not sent to a source that was switched off, until it is switched on', async () => {
    const switched = (name: string, enabled: boolean): void => {
      const state = { sealed: null, rotatedAt: null, cursor: null, lastEventAt: null, lastPollAt: null, lastError: null };
      lab.states.splice(0, 1, { ...state, name, type: 'rest', enabled });
      lab.passTime(1_000);
    };
    switched('erp', false);
    const refused = { ok: false, kind: 'permanent', code: 'target_disabled', message: "'erp' is switched off" };
    expect(await lab.send()).toEqual(refused);
    expect(lab.destination.received).toEqual([]);
    switched('erp', true);
    expect(await lab.send()).toMatchObject({ ok: true });
    switched('another', false);
    expect(await lab.send()).toMatchObject({ ok: true });
  });

  describe('carry the new value of a credential as soon as they start a second after its change', () => {
    const clientOf = (secret: string): SourceCredential => ({
      type: 'oauth2_client_credentials',
      data: { token_url: `${lab.destination.url}/token`, client_id: 'c', client_secret: secret },
    });
    const keyOf = (value: string): SourceCredential => ({ type: 'api_key', data: { value } });
    const bearerOf = (token: string): SourceCredential => ({ type: 'bearer_token', data: { token } });
    const own = { credential_name: 'erp' };
    const kinds: [string, (value: string) => SourceCredential, Record<string, unknown>, string, string][] = [
      ['an api_key', keyOf, own, 'x-api-key', ''],
      ['a bearer_token', bearerOf, own, 'authorization', 'Bearer '],
      ['a secret header', keyOf, { secret_headers: { 'X-Second': 'erp' } }, 'x-second', ''],
      ['a fetched token, though the old one is still valid', clientOf, own, 'authorization', 'Bearer token-of-'],
    ];
    it.each(kinds)('%s', async (_, credentialOf, source, header, prefix) => {
      lab.destination.answerBy(({ path, headers }) => {
        if (path !== '/token') return { status: 200 };
        const secret = Buffer.from(String(headers.authorization).slice(6), 'base64').toString().slice(2);
        return { status: 200, body: { access_token: `token-of-${secret}`, expires_in: 86_400 } };
      });
      lab.credentials.erp = credentialOf('old');
      expect(await lab.send({}, source)).toMatchObject({ ok: true });
      expect(last().headers[header]).toBe(`${prefix}old`);
      lab.credentials.erp = credentialOf('new');
      lab.passTime(1_000);
      expect(await lab.send({}, source)).toMatchObject({ ok: true });
      expect(last().headers[header]).toBe(`${prefix}new`);
    });

    it('a deleted one is not used', async () => {
      lab.credentials.erp = { type: 'api_key', data: { value: 'k3y' } };
      const source = { credential_name: 'erp' };
      expect(await lab.send({}, source)).toMatchObject({ ok: true });
      delete lab.credentials.erp;
      lab.passTime(1_000);
      expect(await lab.send({}, source)).toMatchObject({ ok: false, code: 'target_credential_missing' });
    });
  });

  it('are not sent when they are invalid', async () => {
    const requests: Parameters<typeof lab.send>[0][] = [
      { url: '/orders/..' }, { headers: { 'X-Note': 'a\r\nHost: evil' } }, { headers: { Host: 'evil' } },
    ];
    for (const request of requests)
      expect(await lab.send(request)).toMatchObject({ ok: false, kind: 'permanent', code: 'target_request_invalid' });
    expect(lab.destination.received).toEqual([]);
  });

  describe('that get no answer', () => {
    it('are transient, and their effect is unknown: the lane waits', async () => {
      lab.destination.answerNext('cut');
      expect(await lab.send()).toMatchObject({ kind: 'transient', code: 'target_no_answer' });
      lab.destination.answerNext('hang');
      expect(await lab.send({ timeoutMs: 200 })).toMatchObject({ kind: 'transient', code: 'target_no_answer' });
      lab.destination.answerNext({ status: 504 });
      expect(await lab.send()).toMatchObject({ kind: 'transient', code: 'target_unavailable' });
      expect(lab.unanswered).toHaveLength(3);
    });

    it('leave nothing to wait for when nothing was sent', async () => {
      const nowhere = { base_url: 'http://127.0.0.1:1' };
      expect(await lab.send({}, nowhere)).toMatchObject({ kind: 'transient', code: 'target_not_reached' });
      lab.destination.answerNext('cut', 'cut');
      expect(await lab.send({ method: 'GET', body: undefined })).toMatchObject({ code: 'target_no_answer' });
      expect(await lab.send({ bestEffort: true })).toMatchObject({ code: 'target_no_answer' });
      expect(lab.unanswered).toEqual([]);
    });
  });

  it('an answer over the limit fails permanently when the request was accepted and the step needs its body', async () => {
    const long = { status: 200, body: 'x'.repeat(5_000) };
    lab.destination.answerNext(long, long, { ...long, status: 500 });
    expect(await lab.send()).toMatchObject({ kind: 'permanent', code: 'target_answer_too_large', status: 200 });
    expect(await lab.send({ statusOnly: true })).toMatchObject({ ok: true, value: { status: 200, body: null } });
    expect(await lab.send()).toMatchObject({ kind: 'transient', code: 'target_unavailable', status: 500 });
  });

  it('no secret is in an answer, a failure or its message', async () => {
    lab.credentials.erp = { type: 'api_key', data: { value: 'k3y-value' } };
    const source = { credential_name: 'erp', auth_type: 'basic' };
    const echo = { you_sent: 'k3y-value', basic: Buffer.from('k3y-value:').toString('base64') };
    lab.destination.answerNext({ status: 200, body: echo, headers: { 'X-Echo': 'k3y-value' } }, { status: 422, body: echo });
    const [answer, failure] = [await lab.send({}, source), await lab.send({}, source)];
    expect(answer).toMatchObject({ ok: true, value: { body: { you_sent: '***', basic: '***' }, headers: { 'x-echo': '***' } } });
    expect(failure.message).toContain('"you_sent":"***"');
    expect(JSON.stringify([answer, failure])).not.toMatch(new RegExp(`k3y-value|${echo.basic}`));
  });

  describe('that are refused with 401', () => {
    it('are sent once more when the credential was rotated meanwhile', async () => {
      lab.credentials.erp = { type: 'api_key', data: { value: 'old' } };
      const source = { credential_name: 'erp' };
      lab.destination.answerBy(({ headers }) => ({ status: headers['x-api-key'] === 'new' ? 200 : 401 }));
      expect(await lab.send({}, source)).toMatchObject({ kind: 'fatal', code: 'target_unauthorized', status: 401 });
      expect(lab.destination.received).toHaveLength(1);
      lab.credentials.erp = { type: 'api_key', data: { value: 'new' } };
      expect(await lab.send({}, source)).toMatchObject({ ok: true });
      expect(lab.destination.received.map(({ headers }) => headers['x-api-key'])).toEqual(['old', 'old', 'new']);
    });

    it('get one new token, however many requests used the old one', async () => {
      lab.credentials.erp = {
        type: 'oauth2_client_credentials',
        data: { token_url: `${lab.destination.url}/token`, client_id: 'c', client_secret: 's3cret' },
      };
      let [tokens, good] = [0, 1];
      lab.destination.answerBy(({ path, headers }) => {
        if (path === '/token') return { status: 200, body: { access_token: `token-${(tokens += 1)}`, expires_in: 3_600 } };
        return { status: headers.authorization === `Bearer token-${good}` ? 200 : 401 };
      });
      const source = { credential_name: 'erp' };
      const sendMany = () => Promise.all(Array.from({ length: 4 }, (_, index) => lab.send({ stepId: `s${index}` }, source)));
      expect((await sendMany()).every(({ ok }) => ok)).toBe(true);
      expect(tokens).toBe(1);
      good = 2;
      expect((await sendMany()).every(({ ok }) => ok)).toBe(true);
      expect(tokens).toBe(2);
      good = 99;
      expect(await lab.send({}, source)).toMatchObject({ kind: 'fatal', code: 'target_unauthorized' });
      expect(tokens).toBe(3);
    });
  });

  it('keep to the limit of concurrent requests per destination', async () => {
    lab.destination.answerBy(() => ({ status: 200, afterMs: 20 }));
    const all = await Promise.all(Array.from({ length: 20 }, (_, index) => lab.send({ stepId: `s${index}` })));
    expect(all.every(({ ok }) => ok)).toBe(true);
    expect(lab.destination.highestConcurrency()).toBe(4);
  });

  it('wait as held events during a Retry-After; other destinations still get requests', async () => {
    lab.destination.answerNext({ status: 429, headers: { 'Retry-After': '60' } });
    expect(await lab.send()).toMatchObject({ code: 'target_unavailable', retryAfterMs: 60_000 });
    expect(await lab.send()).toMatchObject({ kind: 'transient', code: 'target_closed', retryAfterMs: 60_000 });
    expect(lab.destination.received).toHaveLength(1);
    expect(await lab.send({}, {}, { connectorId: 'other' })).toMatchObject({ ok: true });
    lab.passTime(60_000);
    expect(await lab.send()).toMatchObject({ ok: true });
  });

  it('are not sent for a partition that was lost', async () => {
    expect(await lab.send({}, {}, { owned: () => false })).toMatchObject({ kind: 'transient', code: 'lease_lost' });
    expect(lab.destination.received).toEqual([]);
  });

  it('to a destination that hangs do not delay another destination', async () => {
    const hanging = lab.send({ target: null, url: `${lab.destination.url}/slow`, timeoutMs: 1_500 });
    lab.destination.answerNext('hang');
    await eventually(() => expect(lab.destination.received).toHaveLength(1));
    expect(await lab.send()).toMatchObject({ ok: true });
    expect(await hanging).toMatchObject({ code: 'target_no_answer' });
  });
});
