import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CrmClient } from '@sluice/ports';
import { createCrmHttpClient } from './crm-http-client';

const access = { portalId: '1', accessToken: 'the-access-token' };
const options = { timeoutMs: 5_000 };
const secret = 'the-client-secret';

interface Sent {
  method: string;
  path: string;
  headers: Record<string, unknown>;
  body: string;
}

/** A server that notes its requests and gives the answers that the test sets. */
let server: Server;
let crm: CrmClient & { close(): Promise<void> };
let sent: Sent[];
let answer: { status: number; headers?: Record<string, string>; body: string };
beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      sent.push({ method: request.method!, path: request.url!, headers: request.headers, body: String(Buffer.concat(chunks)) });
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  crm = createCrmHttpClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId: 'app',
    clientSecret: secret,
  });
});
beforeEach(() => {
  sent = [];
  answer = { status: 200, body: '{"results":[]}' };
});
afterAll(async () => {
  await crm.close();
  await new Promise((resolve) => server.close(resolve));
});

/** What the port's conformance suite (crm-client.integration.test.ts) cannot see: the wire itself. */
describe('requests on the wire', () => {
  it('is JSON with the portal\'s token, trace ids, text values, and an empty text for null', async () => {
    await crm.batchUpsert(
      access,
      'contacts',
      'email',
      [{ id: 'a@x.co', traceId: 't', properties: { city: null, amount: 3, active: true } }],
      { ...options, headers: { traceparent: '00-1-2-01', authorization: 'Bearer another' } },
    );
    expect(sent).toMatchObject([
      {
        method: 'POST',
        path: '/crm/v3/objects/contacts/batch/upsert',
        headers: { authorization: 'Bearer the-access-token', 'content-type': 'application/json', traceparent: '00-1-2-01' },
      },
    ]);
    expect(JSON.parse(sent[0]!.body)).toEqual({
      inputs: [
        { id: 'a@x.co', idProperty: 'email', objectWriteTraceId: 't', properties: { city: '', amount: '3', active: 'true' } },
      ],
    });
  });

  it('names archived reads and odd object types in the path', async () => {
    await crm.batchRead(access, 'p1_cars/x', { ids: ['1'], properties: [], archived: true }, options);
    expect(sent[0]!.path).toBe('/crm/v3/objects/p1_cars%2Fx/batch/read?archived=true');
  });

  it.each(['..', '.', ''])('sends nothing when a name would change the path: %p', async (name) => {
    const refused = { ok: false, kind: 'permanent', code: 'crm_name_unusable', status: 0 };
    expect(
      await Promise.all([
        crm.properties(access, name, options),
        crm.propertyGroups(access, name, options),
        crm.batchUpsert(access, name, 'email', [], options),
        crm.updatePropertyOptions(access, 'contacts', name, [], options),
        crm.associationTypes(access, 'contacts', name, options),
        crm.associationTypes(access, name, 'contacts', options),
      ]),
    ).toEqual(Array.from({ length: 6 }, () => expect.objectContaining(refused)));
    expect(await crm.introspect(name, options)).toMatchObject({ ok: false, kind: 'permanent' });
    expect(sent).toEqual([]);
  });

  it.each([
    ['a/../b', 'a%2F..%2Fb'],
    ['%2e%2e', '%252e%252e'],
    ['...', '...'],
    ['a?b#c', 'a%3Fb%23c'],
    ['\ud800', '%EF%BF%BD'],
  ])('keeps %p inside its path segment: %s', async (name, part) => {
    await crm.properties(access, name, options);
    expect(sent.map(({ path }) => path)).toEqual([`/crm/v3/properties/${part}`]);
  });

  it('sends token requests as forms, without a bearer token', async () => {
    answer.body = '{"access_token":"new"}';
    expect(await crm.refreshToken('r+1', options)).toMatchObject({
      ok: true,
      value: { accessToken: 'new', refreshToken: 'r+1', expiresInS: 1_800 },
    });
    expect(sent[0]).toMatchObject({
      path: '/oauth/v1/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: expect.stringContaining('refresh_token=r%2B1'),
    });
    expect(sent[0]!.headers).not.toHaveProperty('authorization');
  });
});

describe('answers on the wire', () => {
  it('may miss fields, and may have numbers for ids', async () => {
    answer.body = '{"results":[{"id":7,"properties":{"email":"a@x.co"}}]}';
    expect(await crm.batchRead(access, 'contacts', { ids: ['7'], properties: ['email'] }, options)).toMatchObject({
      ok: true,
      value: { results: [{ id: '7' }], errors: [] },
    });
    answer.body = '{"results":[{"from":{"id":7},"to":[{"toObjectId":8}]}]}';
    expect(await crm.batchReadAssociations(access, 'contacts', 'companies', ['7'], options)).toMatchObject({
      ok: true,
      value: [{ fromId: '7', to: [{ id: '8', types: [] }] }],
    });
    answer.body = '{"hub_id":12}';
    expect(await crm.introspect('t', options)).toMatchObject({
      ok: true,
      value: { portalId: '12', scopes: [], expiresInS: null },
    });
  });

  it('may be a proxy\'s error page: the status decides', async () => {
    answer = { status: 502, headers: { 'Retry-After': new Date(Date.now() + 60_000).toUTCString() }, body: '<html>' };
    expect(await crm.properties(access, 'contacts', options)).toMatchObject({
      ok: false,
      kind: 'transient',
      code: 'crm_unavailable',
      status: 502,
      retryAfterMs: expect.any(Number),
    });
    answer = { status: 200, body: '<html>' };
    expect(await crm.properties(access, 'contacts', options)).toMatchObject({ ok: false, code: 'crm_unreadable', status: 0 });
  });

  it('may have no body if none is needed', async () => {
    answer = { status: 204, body: '' };
    expect(
      await crm.batchArchiveAssociations(access, 'contacts', 'companies', [{ fromId: '1', toIds: ['2'] }], options),
    ).toMatchObject({ ok: true, value: null });
  });

  it('counts associations by the pairs that errors name, not by the number of entries', async () => {
    const pair = (fromId: string) => ({ fromId, toId: `${fromId}0` });
    answer = {
      status: 207,
      body: JSON.stringify({
        results: [],
        errors: [{ message: 'gone', context: { fromObjectId: ['1', '2'] } }, { message: 'never' }],
      }),
    };
    expect(
      await crm.batchAssociateDefault(access, 'contacts', 'companies', ['1', '2', '3', '4', '5'].map(pair), options),
    ).toMatchObject({ ok: true, value: { done: 2 } });
  });

  it('never shows the app\'s secret, even repeated by the CRM', async () => {
    answer = { status: 400, body: JSON.stringify({ message: `bad client secret ${secret}` }) };
    const said = await crm.refreshToken('the-client', options);
    expect(said).toMatchObject({ ok: false, code: 'crm_token_refused', message: 'bad client secret ***' });
    expect(JSON.stringify(said)).not.toContain(secret);
  });

  it('names the reason when no server listens', async () => {
    const deaf = createCrmHttpClient({ baseUrl: 'http://127.0.0.1:1', clientId: 'app', clientSecret: secret });
    expect(await deaf.properties(access, 'contacts', options)).toMatchObject({
      ok: false,
      kind: 'transient',
      code: 'crm_not_reached',
      status: 0,
      message: expect.stringContaining('ECONNREFUSED'),
    });
    await deaf.close();
  });
});
