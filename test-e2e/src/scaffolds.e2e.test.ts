import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StandaloneFile } from '@sluice/standalone';
import { eventually, freePort, spawnService, type SpawnedService } from '@sluice/testkit';

interface ScaffoldedRoute {
  method: string;
  path: string;
}

/** Prints the folder of a copy of the tree in which every scaffold ran, and the routes that were made. */
const script = `
  import { makeCopy } from './tools/lib/tree-copy.mjs';
  import { routes, scaffoldEverything } from './tools/lib/scaffolded-tree.mjs';
  const tree = makeCopy('scaffolds-e2e', 1);
  const made = routes(tree);
  await scaffoldEverything(tree);
  process.stdout.write(JSON.stringify({ tree, routes: made }));
`;
const patience = { timeoutMs: 120_000, everyMs: 250 };

describe('what the scaffolds make', () => {
  let copy: { tree: string; routes: ScaffoldedRoute[] };
  let dataDir: string;
  let running: SpawnedService;

  beforeAll(async () => {
    const args = ['--input-type=module', '--eval', script];
    const told = execFileSync(process.execPath, args, { cwd: join(__dirname, '../..'), maxBuffer: 1e7 });
    copy = JSON.parse(told.toString()) as typeof copy;
    dataDir = mkdtempSync(join(tmpdir(), 'sluice-scaffolds-'));
    const env = {
      SLUICE_DATA_DIR: dataDir, SLUICE_PORT: String(await freePort()), SLUICE_CRM_SIMULATOR_PORT: String(await freePort()),
      SLUICE_DEMO: 'off', SLUICE_RATE_LIMIT_SCALE: '0',
    };
    running = await spawnService('standalone', env, { root: copy.tree });
    await eventually(() => running.output().includes('Sluice is ready'), patience);
  }, 600_000);
  afterAll(async () => {
    await running?.stop();
    for (const folder of [copy?.tree, dataDir]) if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const metrics = async (): Promise<string> => (await fetch(`${running.url}/metrics`)).text();

  test('a service is composed by npm start, with its health and its metrics', async () => {
    const ready = (await (await fetch(`${running.url}/readyz`)).json()) as { checks: Record<string, { ok: boolean }> };
    expect(ready.checks).toMatchObject({ 'scaffold-check.event bus': { ok: true } });
    expect(await metrics()).toContain('service="scaffold-check"');
  });

  test('workers run, in every service', async () => {
    for (const worker of ['scaffold-check.scaffold-work', 'config-api.scaffold-work', 'ingest-api.scaffold-work']) {
      const series = new RegExp(`sluice_background_runs_total\\{[^}]*worker="${worker}"[^}]*\\} [1-9]`);
      await eventually(async () => series.test(await metrics()), patience);
    }
  });

  test('a route of every feature is served, to its owner alone', async () => {
    const file = JSON.parse(readFileSync(join(dataDir, 'standalone.json'), 'utf8')) as StandaloneFile;
    expect(copy.routes.length).toBeGreaterThan(20);
    const call = async ({ method, path }: ScaffoldedRoute, token?: string): Promise<number> => {
      const url = running.url + path.replace(':connector_id', file.connector_id).replace(':check_id', 'one');
      const body = ['post', 'put', 'patch'].includes(method) ? { body: '{}' } : {};
      const bearer: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const headers = { 'content-type': 'application/json', ...bearer };
      return (await fetch(url, { method: method.toUpperCase(), headers, ...body })).status;
    };
    for (const route of copy.routes) {
      const token = route.path.startsWith('/operator') ? file.operator_token : file.organization_api_key;
      const expected = { get: 200, put: 200, patch: 200, post: 201, delete: 204 }[route.method];
      expect([route.path, await call(route), await call(route, token)]).toEqual([route.path, 401, expected]);
    }
  });
});
