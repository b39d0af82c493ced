import { monotonicClock, wallClock } from '@sluice/ports';
import type { RestClient, RestRequest, RestResult } from '@sluice/rest-client';
import { createAccessTokens } from './access-tokens';

const credentials = { token_url: 'https://id.example.com/token', client_id: 'shop:1', client_secret: 's3cret', scope: 'orders' };
const answered = (status: number, body: unknown, headers: Record<string, string> = {}): RestResult => ({
  answered: true, status, headers, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

function lab(answer: (request: RestRequest, turn: number) => RestResult | Promise<RestResult>) {
  let at = 0;
  const requests: RestRequest[] = [];
  const client: RestClient = {
    call: async (request) => {
      requests.push(request);
      return answer(request, requests.length);
    },
    close: async () => undefined,
  };
  const tokens = createAccessTokens({ client, monotonicNow: monotonicClock(() => at), now: wallClock(), timeoutMs: 1_000 });
  return { tokens, requests, pass: (ms: number) => { at += ms; } };
}

describe('access tokens by client credentials', () => {
  it('are fetched once for concurrent requests, and kept', async () => {
    const { tokens, requests } = lab(() => answered(200, { access_token: 'a', expires_in: 3600 }));
    const all = await Promise.all(Array.from({ length: 20 }, () => tokens.get(credentials)));
    expect(new Set(all.map((one) => one.ok && one.token))).toEqual(new Set(['a']));
    await tokens.get(credentials);
    expect(requests).toHaveLength(1);
    const [{ headers, body, url }] = requests as [RestRequest];
    expect(url).toBe(credentials.token_url);
    expect(Buffer.from(headers!.authorization!.slice(6), 'base64').toString()).toBe('shop%3A1:s3cret');
    expect(body).toBe('grant_type=client_credentials&scope=orders');
  });

  it('are replaced before they expire', async () => {
    const { tokens, pass } = lab((_request, turn) => answered(200, { access_token: `t${turn}`, expires_in: 100 }));
    expect(await tokens.get(credentials)).toMatchObject({ token: 't1' });
    pass(89_000);
    expect(await tokens.get(credentials)).toMatchObject({ token: 't1' });
    pass(2_000);
    expect(await tokens.get(credentials)).toMatchObject({ token: 't2' });
  });

  it('are used until they expire while the endpoint fails transiently', async () => {
    const { tokens, pass } = lab((_request, turn) =>
      turn === 1 ? answered(200, { access_token: 'a', expires_in: 100 }) : answered(503, '', { 'retry-after': '3' }),
    );
    await tokens.get(credentials);
    pass(95_000);
    expect(await tokens.get(credentials)).toEqual({ ok: true, token: 'a' });
    pass(5_000);
    const expired = { kind: 'transient', code: 'target_token_unavailable', retryAfterMs: 3_000 };
    expect(await tokens.get(credentials)).toMatchObject(expired);
  });

  it('a refused token is fetched again, once for all requests that it failed', async () => {
    const { tokens, requests } = lab((_request, turn) => answered(200, { access_token: `t${turn}`, expires_in: 3600 }));
    await tokens.get(credentials);
    const all = await Promise.all(Array.from({ length: 5 }, () => tokens.get(credentials, 't1')));
    expect(all).toEqual(Array(5).fill({ ok: true, token: 't2' }));
    expect(await tokens.get(credentials, 't1')).toEqual({ ok: true, token: 't2' });
    expect(requests).toHaveLength(2);
  });

  it('another secret gets another token', async () => {
    const { tokens, requests } = lab((_request, turn) => answered(200, { access_token: `t${turn}` }));
    await tokens.get(credentials);
    expect(await tokens.get({ ...credentials, client_secret: 'new' })).toMatchObject({ token: 't2' });
    expect(requests).toHaveLength(2);
  });

  it('an endpoint that does not take the header gets the client in the body', async () => {
    const { tokens, requests } = lab(({ headers }) =>
      headers?.authorization ? answered(401, { error: 'invalid_client' }) : answered(200, { access_token: 'a' }),
    );
    expect(await tokens.get({ ...credentials, audience: 'api' })).toEqual({ ok: true, token: 'a' });
    const fields = 'grant_type=client_credentials&scope=orders&audience=api&client_id=shop%3A1&client_secret=s3cret';
    expect(requests[1]!.body).toBe(fields);
  });

  it.each<[string, string, RestResult]>([
    ['fatal', 'target_token_refused', answered(401, { error: 'invalid_client' })],
    ['fatal', 'target_token_refused', answered(403, 'no')],
    ['fatal', 'target_token_refused', answered(302, '', { location: 'http://10.0.0.1' })],
    ['transient', 'target_token_unavailable', answered(500, '')],
    ['transient', 'target_token_unavailable', answered(429, '')],
    ['transient', 'target_token_unavailable', answered(200, 'no json')],
    ['transient', 'target_token_unavailable', answered(200, { access_token: 'a\r\nb' })],
    ['transient', 'target_token_unavailable', { answered: false, reason: 'timed_out', message: 'no answer' }],
    ['permanent', 'target_refused', { answered: false, reason: 'target_refused', message: '10.0.0.1 is a private address' }],
  ])('an answer that gives none is %s: %s (answer %#)', async (kind, code, result) => {
    const { tokens } = lab(() => result);
    const answer = await tokens.get(credentials);
    expect(answer).toMatchObject({ ok: false, kind, code });
    expect(JSON.stringify(answer)).not.toContain('s3cret');
  });
});
