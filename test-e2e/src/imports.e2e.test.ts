import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { PackageReader } from '@sluice/data-package';
import type { StandaloneFile } from '@sluice/standalone';
import { eventually, freePort, spawnService, type SpawnedService } from '@sluice/testkit';
import { peopleConfig } from './support/bulk-jobs';

const patience = { timeoutMs: 240_000, everyMs: 250 };
const rows = 1_500;

jest.setTimeout(600_000);

describe('an import, a verification and an export over kill -9', () => {
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
    await eventually(() => !existsSync(pidFile), { timeoutMs: 60_000, everyMs: 50 });
    rmSync(folder, { recursive: true, force: true });
  });

  const start = async (): Promise<void> => {
    running = await spawnService('standalone', env);
    await eventually(() => running!.output().includes('Sluice is ready'), patience);
  };
  const killedAndStarted = async (): Promise<void> => {
    await running!.kill();
    await start();
  };
  const file = (): StandaloneFile =>
    JSON.parse(readFileSync(join(env['SLUICE_DATA_DIR']!, 'standalone.json'), 'utf8')) as StandaloneFile;
  const call = async (method: string, path: string, body?: object | FormData, as = file().organization_api_key): Promise<any> => {
    const isForm = body instanceof FormData;
    const authorization = `Bearer ${as}`;
    const headers = { authorization, ...(!isForm && { 'content-type': 'application/json' }) };
    const sent = body && { body: isForm ? body : JSON.stringify(body) };
    const response = await fetch(`${file().base_url}${path}`, { method, headers, ...sent });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };

  test('a CSV file is imported whole, no record twice', async () => {
    const { id } = await call('POST', '/api/connectors', { name: 'Stock', credential_id: file().crm_credential_id });
    at = `/api/connectors/${id}`;
    await call('PUT', `${at}/draft`, peopleConfig);
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

  test('an export ends whole, without a secret, and is restored into an empty organization, whose export is equal', async () => {
    const secrets = await makeSecrets();
    const { id } = await call('POST', '/api/data-exports');
    await killedAndStarted();
    const first = await packageOf(id, join(folder, 'first.zip'));
    const all = [...first.values()].join('\n');
    for (const shown of ['p0@import.example', '"x-partner":"[masked]"']) expect(all).toContain(shown);
    const found = Object.entries(secrets).filter(([, secret]) => formsOf(secret).some((form) => all.includes(form)));
    expect(found.map(([name]) => name)).toEqual([]);

    const key = await emptyOrganization();
    const restored = ['import', join(folder, 'first.zip'), '--url', file().base_url];
    for (const _run of [1, 2]) expect(await sluice(restored, key)).toContain('All was restored');
    const again = await call('POST', '/api/data-exports', undefined, key);
    const second = await packageOf(again.id, join(folder, 'second.zip'), key);
    for (const path of ['connectors', 'configuration/versions', 'configuration/drafts', 'identity_mappings']) {
      expect([path, comparable(second.get(`${path}.jsonl`)!)]).toEqual([path, comparable(first.get(`${path}.jsonl`)!)]);
      expect(second.get(`${path}.jsonl`)).not.toBe('');
    }
  });

  /** A value of every kind that must not leave, by what it is. The config that holds some of them is published. */
  async function makeSecrets(): Promise<Record<string, string>> {
    const { owner, operator_token, organization_api_key } = file();
    const credential = 'k9-credential-value';
    await call('POST', '/api/credentials', { name: 'erp', credential_type: 'api_key', data: { value: credential } });
    const header = 'k9-header-value';
    await call('PUT', `${at}/draft`, {
      ...peopleConfig,
      sources: [
        { name: 'erp', type: 'rest', config: {
          base_url: 'https://erp.example', credential_name: 'erp', default_headers: { 'x-partner': header },
        } },
        { name: 'hook', type: 'webhook', config: {
          event_type: 'person.changed', external_id_path: '$.id', verify_signature: 'hmac_sha256',
          signature_header: 'x-signature',
        } },
      ],
    });
    const { created_sources: created } = await call('POST', `${at}/publish`, {});
    const { secret: webhook } = (created as { name: string; secret: string }[]).find(({ name }) => name === 'hook')!;
    const compat = 'k9-compat-secret';
    await call('POST', `${at}/compat-keys`, { secret: compat, label: 'old' });
    const connectorKey = (await call('POST', `${at}/api-keys`, { label: 'shop' })).raw_key as string;
    const signedIn = await fetch(`${file().base_url}/api/auth/login`, {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(owner),
    });
    const [, refresh] = /sluice_refresh=([^;]+)/.exec(signedIn.headers.getSetCookie().join())!;
    const session = (await signedIn.json() as { access_token: string }).access_token;
    const totp = (await call('POST', '/api/me/mfa/enroll', {}, session)).secret as string;
    const { password } = owner;
    return {
      credential, header, webhook, compat, connectorKey, refresh: refresh!, session, totp, password, operator_token,
      organization_api_key,
    };
  }

  /** @returns its files by their path */
  async function packageOf(id: string, path: string, key?: string): Promise<Map<string, string>> {
    const job = () => call('GET', `/api/data-exports/${id}`, undefined, key);
    await eventually(async () => (await job()).status === 'completed', patience);
    const { url } = await call('GET', `/api/data-exports/${id}/download`, undefined, key);
    writeFileSync(path, Buffer.from(await (await fetch(url as string)).arrayBuffer()));
    expect(await sluice(['export', 'verify', path])).toContain('are what the manifest says');
    const reader = await PackageReader.open(path);
    const files = new Map<string, string>();
    for (const name of ['manifest.json', ...reader.files.keys()]) files.set(name, await text(Readable.from(reader.bytes(name))));
    reader.close();
    return files;
  }

  /** An organization with the same portal and the names of credentials, and its key. */
  async function emptyOrganization(): Promise<string> {
    const account = { owner_email: 'heir@import.example', owner_password: 'words nobody knows' };
    await call('POST', '/operator/organizations', { name: 'Heir', tier: 'enterprise', ...account }, file().operator_token);
    const login = { email: account.owner_email, password: account.owner_password };
    const { access_token: session } = await call('POST', '/api/auth/login', login);
    const portal = { access_token: 'sim-access-1000001' };
    await call('POST', '/api/credentials', { name: 'portal', credential_type: 'crm_oauth', data: portal }, session);
    await call('POST', '/api/credentials', { name: 'erp', credential_type: 'api_key', data: { value: 'other' } }, session);
    return (await call('POST', '/api/org-api-keys', { label: 'restore' }, session)).raw_key as string;
  }
});

const cli = join(__dirname, '../../packages/cli/dist/main.js');
/** Runs the command line. Breaks when it does not end with 0. @returns what it told */
async function sluice(args: string[], key = ''): Promise<string> {
  return (await promisify(execFile)(process.execPath, [cli, ...args], { env: { ...process.env, SLUICE_API_KEY: key } })).stdout;
}

/** How a text may stand in a file. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  return [secret, base64, bytes.toString('base64url'), bytes.toString('hex'), encodeURIComponent(secret)];
}

/** Lines without ids and times, in one order. */
const comparable = (lines: string): string[] =>
  lines.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .split('\n').sort();
