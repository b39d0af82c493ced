import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { configRoutes, defineRoute, ingestRoutes } from '@sluice/contracts';
import { type ApiError, isAnswerOf } from './api-error';
import { callRoute } from './call-route';
import { type ApiClient, bearer, createApiClient } from './create-api-client';

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: unknown;
}

let server: Server;
let seen: Seen[];
let answer: { status: number; body?: string; headers?: Record<string, string> };
let api: ApiClient;
const baseUrl = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => {
      const text = Buffer.concat(chunks).toString();
      seen.push({ method: request.method!, url: request.url!, headers: request.headers, body: text && JSON.parse(text) });
      if (answer.status !== 0) response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
});
afterAll(() => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); }));
beforeEach(() => {
  seen = [];
  answer = { status: 200, body: '{}' };
  api = createApiClient({ baseUrl: baseUrl(), headers: bearer('token') });
});

test('a call is made of its contract: path, query, body and who calls', async () => {
  answer.body = '{"items":[]}';
  expect(await api.listSources({ params: { connector_id: 'a/b c' } })).toEqual({ items: [] });
  await api.deleteSource({ params: { connector_id: 'c', name: 'the shop' }, query: { confirm: true } });
  await api.createSource({ params: { connector_id: 'c' }, body: { name: 'hook', type: 'webhook' }, headers: { 'x-more': '1' } });
  expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /api/connectors/a%2Fb%20c/sources',
    'DELETE /api/connectors/c/sources/the%20shop?confirm=true',
    'POST /api/connectors/c/sources',
  ]);
  expect(seen[0]!.headers).toMatchObject({ authorization: 'Bearer token' });
  expect(seen[0]!.headers).not.toHaveProperty('content-type');
  expect(seen[2]).toMatchObject({ body: { name: 'hook', type: 'webhook' }, headers: { 'x-more': '1' } });
});

test('an answer without a body is null', async () => {
  answer = { status: 204 };
  expect(await api.deleteConnector({ params: { connector_id: 'c' } })).toBeNull();
});

test('an answer outside 2xx is an error with its code, whatever shape it has', async () => {
  const refusal = async (status: number, detail: unknown, headers = {}) => {
    answer = { status, body: JSON.stringify({ detail }), headers };
    return api.listConnectors().then(() => { throw new Error('answered'); }, (error: unknown) => error as ApiError);
  };
  const limit = 'connector_limit_reached';
  expect(await refusal(402, { error: limit })).toMatchObject({ status: 402, code: limit });
  expect(await refusal(409, { code: 'stale_base_version', base_version: 1 })).toMatchObject({
    code: 'stale_base_version', detail: { base_version: 1 },
  });
  expect(await refusal(429, 'Rate limit exceeded for org', { 'retry-after': '2', 'x-request-id': 'r1' })).toMatchObject({
    code: 'Rate limit exceeded for org', retryAfterMs: 2_000, requestId: 'r1', problems: [],
  });
  const problem = { type: 'missing', loc: ['body', 'name'], msg: 'm', input: null };
  expect(await refusal(422, [problem])).toMatchObject({ code: null, problems: [problem], retryAfterMs: null });
  answer = { status: 502, body: '<html>no gateway</html>' };
  await expect(api.listConnectors()).rejects.toMatchObject({ name: 'ApiError', status: 502, code: null });
});

test('the codes of an error are those of its route', async () => {
  answer = { status: 409, body: '{"detail":{"error":"source_name_taken"}}' };
  const error: unknown = await api.createSource({ params: { connector_id: 'c' }, body: { name: 'h', type: 'webhook' } }).catch(
    (thrown: unknown) => thrown,
  );
  expect(isAnswerOf(configRoutes.deleteSource, error)).toBe(false);
  if (!isAnswerOf(configRoutes.createSource, error)) throw error;
  expect(error.code === 'source_name_taken').toBe(true);
  // @ts-expect-error: no code of this route
  expect(error.code === 'no_webhook_source').toBe(false);
});

test('input that does not fit a contract does not compile, and a missing path parameter throws', async () => {
  // @ts-expect-error: it needs the connector
  await expect(api.listSources()).rejects.toThrow("needs the path parameter 'connector_id'");
  await expect(api.listSources({ params: { connector_id: '' } })).rejects.toThrow('connector_id');
  const given = { params: { connector_id: 'c' } };
  // @ts-expect-error: of another type
  await api.updateSource({ params: { connector_id: 'c', name: 'n' }, body: { enabled: 'no' } });
  answer.body = '{"items":[{"enabled":true}]}';
  // @ts-expect-error: of another type in the answer
  const enabled: string = (await api.listSources(given)).items[0]!.enabled;
  expect(enabled).toBe(true);
  expect(seen).toHaveLength(2);
});

test('a request ends at its timeout, and when the client is closed', async () => {
  answer = { status: 0 };
  const hasty = createApiClient({ baseUrl: baseUrl(), timeoutMs: 20 });
  await expect(hasty.listConnectors()).rejects.toMatchObject({ name: 'TimeoutError' });
  const end = new AbortController();
  const pending = createApiClient({ baseUrl: baseUrl(), signal: end.signal }).listConnectors();
  end.abort();
  await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
});

test('forms, bytes and streamed answers pass as they are', async () => {
  const contract = defineRoute({
    name: 'stream_thing', method: 'post', path: '/streams', tag: 'T', summary: 'S', auth: 'none', audit: null,
    form: { fields: { type: 'object' }, files: { file: { description: 'F', maxBytes: 9, required: true } } },
    answers: { 200: { description: 'A file.', stream: 'file', contentType: 'application/zip' } }, errors: [],
  });
  const got: { body: unknown; type: string | null }[] = [];
  const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    got.push({ body: init?.body, type: new Headers(init?.headers).get('content-type') });
    return new Response('PK');
  };
  const [form, upload] = [new FormData(), new Blob(['PK'], { type: 'application/zip' })];
  const answers = [
    await callRoute({ baseUrl: 'http://a', fetch }, contract, { form }),
    await callRoute({ baseUrl: 'http://a', fetch }, contract, { upload }),
  ];
  expect(got).toEqual([{ body: form, type: null }, { body: upload, type: null }]);
  for (const answer of answers) expect(await (answer as Response).text()).toBe('PK');
});

test('every contract of both planes is a method', () => {
  const contracts = Object.entries<unknown>({ ...configRoutes, ...ingestRoutes }).filter(
    ([, value]) => typeof value === 'object' && value !== null && 'answers' in value,
  );
  expect(contracts.length).toBeGreaterThan(40);
  expect(Object.keys(api).sort()).toEqual(contracts.map(([name]) => name).sort());
});
