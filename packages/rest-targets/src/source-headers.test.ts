import { monotonicClock, type SourceCredential } from '@sluice/ports';
import { createSourceCredentials } from './source-credentials';
import { secretHeaders, type SourceHeadersDeps } from './source-headers';

const stored: Record<string, SourceCredential> = {
  key: { type: 'api_key', data: { value: 'k3y-value' } },
  bearer: { type: 'bearer_token', data: { token: 't0ken-value' } },
  oauth: { type: 'oauth2_client_credentials', data: { token_url: 'https://id.example.com', client_id: 'c', client_secret: 's' } },
  login: { type: 'login', data: { username: 'ada', password: 'p4ssword' } },
  bound: { type: 'api_key', data: { value: 'b0und-value' }, allowedHosts: ['erp.example.com', '*.erp.example.com'] },
  broken: { type: 'api_key', data: { value: 'line\nbreak' } },
};
const deps: SourceHeadersDeps = {
  credentials: { get: async (_organizationId, name) => stored[name] ?? null },
  tokens: { get: async (_credentials, refused) => ({ ok: true, token: refused === 'fetched' ? 'fetched-anew' : 'fetched' }) },
};
const headersOf = async (source: Parameters<typeof secretHeaders>[2]['source'], url = 'https://erp.example.com/x') => {
  const found = await secretHeaders(deps, 'org', { source, url });
  return found.ok ? found.headers : found;
};
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('headers that carry secrets', () => {
  it.each<[string, 'header' | 'bearer' | 'basic' | undefined, Record<string, string>]>([
    ['key', undefined, { 'X-API-Key': 'k3y-value' }],
    ['key', 'header', { 'X-API-Key': 'k3y-value' }],
    ['key', 'bearer', { Authorization: 'Bearer k3y-value' }],
    ['key', 'basic', { Authorization: basic('k3y-value:') }],
    ['bearer', undefined, { Authorization: 'Bearer t0ken-value' }],
    ['bearer', 'header', { 'X-API-Key': 't0ken-value' }],
    ['bearer', 'bearer', { Authorization: 'Bearer t0ken-value' }],
    ['bearer', 'basic', { Authorization: basic('t0ken-value:') }],
    ['oauth', undefined, { Authorization: 'Bearer fetched' }],
    ['oauth', 'header', { Authorization: 'Bearer fetched' }],
    ['oauth', 'basic', { Authorization: 'Bearer fetched' }],
    ['login', undefined, {}],
    ['login', 'basic', {}],
  ])('%s with auth_type %s', async (name, authType, expected) => {
    expect(await headersOf({ credential_name: name, ...(authType && { auth_type: authType }) })).toEqual(expected);
  });

  it('auth_header names the header of auth_type header', async () => {
    expect(await headersOf({ credential_name: 'key', auth_header: 'X-ERP-Key' })).toEqual({ 'X-ERP-Key': 'k3y-value' });
  });

  it('a credential goes to the hosts that it allows alone', async () => {
    const [named, secret] = [{ credential_name: 'bound' }, { secret_headers: { 'X-Key': 'bound' } }];
    expect(await headersOf(named)).toEqual({ 'X-API-Key': 'b0und-value' });
    expect(await headersOf(secret, 'https://eu.erp.example.com/x')).toEqual({ 'X-Key': 'b0und-value' });
    for (const source of [named, secret])
      for (const url of ['https://evil.example.com', 'https://erp.example.com.evil.example', 'https://xerp.example.com'])
        expect(await headersOf(source, url)).toMatchObject({
          ok: false, kind: 'fatal', code: 'target_credential_unusable', message: expect.stringContaining('allowed_hosts'),
        });
  });

  it('without a credential there are none', async () => expect(await headersOf({})).toEqual({}));

  it('secret_headers come before the header of the credential', async () => {
    const source = { credential_name: 'bearer', secret_headers: { 'X-Second': 'key', Authorization: 'key' } };
    expect(await headersOf(source)).toEqual({ 'X-Second': 'k3y-value', Authorization: 'Bearer t0ken-value' });
  });

  it('secret_headers take an api_key only', async () => {
    const answer = await headersOf({ secret_headers: { 'X-Second': 'bearer' } });
    expect(answer).toMatchObject({ kind: 'fatal', code: 'target_credential_unusable' });
  });

  it.each([{ credential_name: 'gone' }, { secret_headers: { 'X-Key': 'gone' } }])('a credential is gone: %p', async (source) => {
    expect(await headersOf(source)).toMatchObject({ kind: 'fatal', code: 'target_credential_missing' });
  });

  it('an error does not show a secret that is no valid header value', async () => {
    const answer = await headersOf({ credential_name: 'broken' });
    expect(answer).toMatchObject({ kind: 'fatal', code: 'target_credential_unusable' });
    expect(JSON.stringify(answer)).not.toContain('break');
  });

  it('a refused token is replaced', async () => {
    const request = { source: { credential_name: 'oauth' }, url: 'https://erp.example.com' };
    const found = await secretHeaders(deps, 'org', request, { refusedToken: 'fetched' });
    expect(found).toMatchObject({ headers: { Authorization: 'Bearer fetched-anew' }, token: 'fetched-anew' });
  });
});

describe('credentials of sources', () => {
  it('are read once for concurrent requests, kept for a second, and read again on request', async () => {
    let [at, reads] = [0, 0];
    const credentials = createSourceCredentials({
      monotonicNow: monotonicClock(() => at),
      reader: {
        sourceCredential: async () => {
          reads += 1;
          return stored.key!;
        },
      },
    });
    await Promise.all([1, 2, 3].map(() => credentials.get('org', 'erp', false)));
    at = 999;
    expect(await credentials.get('org', 'erp', false)).toBe(stored.key);
    expect(reads).toBe(1);
    await credentials.get('org', 'erp', true);
    expect(reads).toBe(2);
    at += 1_000;
    await credentials.get('org', 'erp', false);
    expect(reads).toBe(3);
  });
});
