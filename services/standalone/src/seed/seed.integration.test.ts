import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Seeded, seed } from './seed';

/** The routes a seed calls, on lists. */
function fakeApi() {
  const [keys, connectors, credentials] = [
    new Set<string>(),
    new Map<string, { id: string; name: string }>(),
    new Map<string, { id: string; name: string }>(),
  ];
  const connectorKeys: string[] = [];
  const posts: string[] = [];
  const answer = (method: string, path: string, token: string, body: Record<string, string>): [number, unknown] => {
    if (method === 'POST') posts.push(path);
    if (path === '/operator/organizations') return posts.filter((one) => one === path).length > 1 ? [409, {}] : [201, {}];
    if (path === '/api/auth/login') return [200, { access_token: 'session' }];
    if (path.startsWith('/operator/')) return [200, {}];
    if (token !== 'session' && !keys.has(token)) return [401, { detail: 'Invalid token' }];
    if (path === '/api/me') return [200, { organization: { id: 'org' } }];
    const [, , list, id, part] = path.split('/');
    if (list === 'org-api-keys') return [201, { raw_key: [...keys.add(randomUUID())].at(-1) }];
    const rows = list === 'connectors' ? connectors : credentials;
    if (id !== undefined && !rows.has(id)) return [404, {}];
    if (part === 'api-keys') return [201, { raw_key: connectorKeys[connectorKeys.push(randomUUID()) - 1] }];
    if (id !== undefined) return [200, {}];
    if (method === 'GET') return [200, { items: [...rows.values()] }];
    const row = { id: randomUUID(), name: body.name! };
    rows.set(row.id, row);
    return [201, row];
  };
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => {
      const token = request.headers.authorization?.slice(7) ?? '';
      const [status, body] = answer(
        request.method!,
        request.url!,
        token,
        chunks.length === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>),
      );
      response.writeHead(status).end(JSON.stringify(body));
    });
  });
  return { server, keys, connectors, posts };
}

let folder: string;
let api: ReturnType<typeof fakeApi>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-seed-'));
  api = fakeApi();
  await new Promise<void>((resolve) => { api.server.listen(0, '127.0.0.1', resolve); });
});
afterEach(async () => {
  await new Promise((resolve) => { api.server.close(resolve); });
  rmSync(folder, { recursive: true });
});
const run = (): Promise<Seeded> =>
  seed({
    baseUrl: `http://127.0.0.1:${(api.server.address() as AddressInfo).port}`,
    operatorToken: 'operator',
    owner: { email: 'o@x.example', password: 'p' },
    file: join(folder, 'seed.json'),
  });

test('a second run finds everything and makes nothing', async () => {
  const first = await run();
  const made = api.posts.length;
  expect(await run()).toEqual(first);
  expect(api.posts).toHaveLength(made);
});

test('a revoked organization key is replaced, everything else is kept', async () => {
  const first = await run();
  api.keys.clear();
  const second = await run();
  expect(second).toEqual({ ...first, organization_api_key: expect.any(String) });
  expect(second.organization_api_key).not.toBe(first.organization_api_key);
});

test('a deleted connector is made again, with a key of its own', async () => {
  const first = await run();
  api.connectors.clear();
  const second = await run();
  expect([...api.connectors.keys()]).toEqual([second.connector_id]);
  expect(second.connector_api_key).not.toBe(first.connector_api_key);
  expect(second.organization_api_key).toBe(first.organization_api_key);
});
