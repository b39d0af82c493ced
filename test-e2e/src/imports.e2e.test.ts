import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StandaloneFile } from '@sluice/standalone';
import { eventually, freePort, spawnService, type SpawnedService } from '@sluice/testkit';

const patience = { timeoutMs: 240_000, everyMs: 250 };
const rows = 1_500;

const config = {
  version: '3.0',
  entities: [{
    name: 'person',
    schemas: {
      crm: {
        object_type: 'contacts', identity: { property: 'email' },
        field_mappings: [{ source: '$.payload.email', target: 'email' }, { source: '$.payload.name', target: 'firstname' }],
      },
    },
  }],
  flows: [{
    name: 'people', source: 'event_api', event_type: 'person_synced',
    steps: [{ id: 'save', action: 'upsert', target: 'crm', entity: 'person' }],
  }],
  sources: [],
};

jest.setTimeout(600_000);

describe('an import and a verification over kill -9', () => {
  let folder: string;
  let env: Record<string, string>;
  let running: SpawnedService | undefined;
  let at: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-imports-'));
    env = {
      SLUICE_DATA_DIR: join(folder, 'data'), SLUICE_PORT: String(await freePort()), SLUICE_DEMO: 'off',
      SLUICE_CRM_SIMULATOR_PORT: String(await freePort()), SLUICE_RATE_LIMIT_SCALE: '0',
    };
    await start();
  });
  afterAll(async () => {
    await running?.stop();
    const pidFile = join(env['SLUICE_DATA_DIR']!, 'postgres', 'postmaster.pid');
    await eventually(() => !existsSync(pidFile), { timeoutMs: 30_000, everyMs: 50 });
    rmSync(folder, { recursive: true, force: true });
  });

  const start = async (): Promise<void> => {
    running = await spawnService('standalone', env, { readyTimeoutMs: 120_000 });
    await eventually(() => running!.output().includes('Sluice is ready'), patience);
  };
  const killedAndStarted = async (): Promise<void> => {
    await running!.kill();
    await start();
  };
  const file = (): StandaloneFile =>
    JSON.parse(readFileSync(join(env['SLUICE_DATA_DIR']!, 'standalone.json'), 'utf8')) as StandaloneFile;
  const call = async (method: string, path: string, body?: object | FormData): Promise<any> => {
    const isForm = body instanceof FormData;
    const authorization = `Bearer ${file().organization_api_key}`;
    const headers = { authorization, ...(!isForm && { 'content-type': 'application/json' }) };
    const sent = body && { body: isForm ? body : JSON.stringify(body) };
    const response = await fetch(`${file().base_url}${path}`, { method, headers, ...sent });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };

  test('a CSV file is imported whole, no record twice', async () => {
    const { id } = await call('POST', '/api/connectors', { name: 'Stock', credential_id: file().crm_credential_id });
    at = `/api/connectors/${id}`;
    await call('PUT', `${at}/draft`, config);
    await call('POST', `${at}/publish`, {});
    const lines = Array.from({ length: rows }, (_, n) => `P-${n},p${n}@import.example,Person ${n}\n`);
    const form = new FormData();
    form.set('file', new Blob(['external_id,email,name\n', ...lines]), 'people.csv');
    form.set('entity', 'person');
    const accepted = await call('POST', `${at}/bulk-imports`, form);
    expect(accepted).toMatchObject({ rows_total: rows, status: 'queued' });
    const job = () => call('GET', `${at}/bulk-imports/${accepted.id}`);
    await eventually(async () => (await job()).rows_done > 0, patience);
    await killedAndStarted();
    await eventually(async () => (await job()).completed_at !== null, patience);
    expect(await job()).toMatchObject({ status: 'completed', rows_done: rows, rows_failed: 0, rows_skipped: 0 });
    const sim = `${file().crm_simulator_url}/_sim/records?portal_id=1000001&object_type=contacts`;
    const { items } = await (await fetch(sim)).json() as { items: { properties: { email?: string } }[] };
    const emails = items.map(({ properties }) => properties.email).filter((email) => email?.endsWith('@import.example'));
    expect([emails.length, new Set(emails).size]).toEqual([rows, rows]);
  });

  test('a verification of all of it looks at each record once, and finds them as they should be', async () => {
    const { id } = await call('POST', `${at}/verifications`, { entity: 'person', sample: { percentage: 100 } });
    const job = () => call('GET', `${at}/verifications/${id}`);
    await eventually(async () => (await job()).checked > 0, patience);
    await killedAndStarted();
    await eventually(async () => (await job()).completed_at !== null, patience);
    expect(await job()).toMatchObject({ status: 'completed', checked: rows, matched: rows, mismatched: 0, missing: 0 });
  });
});
