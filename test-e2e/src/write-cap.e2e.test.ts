import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bearer } from '@sluice/api-client';
import type { StandaloneFile } from '@sluice/standalone';
import { eventually, freePort, spawnService, type SpawnedService } from '@sluice/testkit';

const patience = { timeoutMs: 180_000, everyMs: 100 };
jest.setTimeout(600_000);

const limit = 5;
const map = (source: string, target: string): object => ({ source, target });
const config = {
  version: '3.0',
  entities: [{
    name: 'contact',
    schemas: {
      crm: {
        object_type: 'contacts', identity: { property: 'email' },
        field_mappings: [map('$.external_id', 'email'), map('$.payload.name', 'firstname')],
      },
    },
  }],
  flows: ['shop', 'hook'].map((source) => ({
    name: `contacts of ${source}`, source, event_type: source === 'shop' ? 'contact_synced' : 'contact.changed',
    steps: [{ id: 'save', action: 'upsert', target: 'crm', entity: 'contact' }],
  })),
  sources: [
    { name: 'shop', type: 'event_api', config: {} },
    { name: 'hook', type: 'webhook', config: {
      event_type: 'contact.changed', external_id_path: '$.email',
      verify_signature: 'hmac_sha256', signature_header: 'x-signature',
    } },
  ],
  settings: {},
};

describe('the first sync of a connector', () => {
  let folder: string;
  let sluice: SpawnedService;
  let file: StandaloneFile;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-write-cap-'));
    const env = {
      SLUICE_DATA_DIR: join(folder, 'data'), SLUICE_DEMO: 'off', SLUICE_LOG_LEVEL: 'warn', SLUICE_RATE_LIMIT_SCALE: '0',
      SLUICE_PORT: String(await freePort()), SLUICE_CRM_SIMULATOR_PORT: String(await freePort()),
      SLUICE_WRITE_CAP: String(limit), SLUICE_CAP_SETTLING: '2',
    };
    sluice = await spawnService('standalone', env);
    await eventually(() => sluice.output().includes('Sluice is ready'), patience);
    file = JSON.parse(readFileSync(join(env.SLUICE_DATA_DIR, 'standalone.json'), 'utf8')) as StandaloneFile;
  });
  afterAll(async () => {
    await sluice?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  type Headers = Record<string, string>;
  const ask = async (method: string, path: string, headers: Headers = {}, body?: unknown, base = file.base_url) => {
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(base + path, { method, headers: { 'content-type': 'application/json', ...headers }, ...json });
    return { status: answer.status, body: (await answer.json()) as any };
  };

  /** An owner of an organization with the review, its connector, and a key of that. */
  const setUp = async () => {
    const operator = bearer(file.operator_token);
    const owner = { owner_email: 'owner@cap.example', owner_password: 'words nobody knows' };
    const made = await ask('POST', '/operator/organizations', operator, { name: 'Shop', tier: 'pro', ...owner });
    await ask('PATCH', `/operator/organizations/${made.body.organization_id}`, operator, { write_cap_review: true });
    const login = { email: owner.owner_email, password: owner.owner_password };
    const token = bearer((await ask('POST', '/api/auth/login', {}, login)).body.access_token as string);
    const access = { access_token: 'sim-access-1000001' };
    await ask('POST', '/api/credentials', token, { name: 'portal', credential_type: 'crm_oauth', data: access });
    const connector = await ask('POST', '/api/connectors', token, { name: 'Shop', create_api_key: true, api_key_label: 'shop' });
    const path = `/api/connectors/${connector.body.id}`;
    expect(await ask('PUT', `${path}/draft`, token, config)).toMatchObject({ status: 200 });
    const published = await ask('POST', `${path}/publish`, token, {});
    expect(published).toMatchObject({ status: 200, body: { created_sources: [{}, { name: 'hook' }] } });
    const secret = published.body.created_sources[1].secret as string;
    const { id, api_key: { raw_key: rawKey } } = connector.body as { id: string; api_key: { raw_key: string } };
    return { token, path, secret, id, key: { 'x-api-key': rawKey } };
  };

  test('pauses after the first records, keeps what comes, and sends it in order after the release', async () => {
    const { token, path, id, key, secret } = await setUp();
    const connector = async () => (await ask('GET', path, token)).body;
    expect((await connector()).write_cap).toMatchObject({ state: 'armed', limit });
    const contact = (n: number, name: string) =>
      ({ type: 'contact', externalObjectId: `c${n}@cap.example`, properties: { name } });
    const send = (entities: object[]) => ask('POST', '/api/v1/events', key, { event: 'contacts', entities });
    const contacts = Array.from({ length: 150 }, (_, n) => n);
    // One request more than a batch of the CRM takes, and a later value of each record behind it.
    const first = await send(contacts.map((n) => contact(n, 'first')));
    const second = await send(contacts.map((n) => contact(n, 'second')));
    expect([first.status, second.status]).toEqual([202, 202]);
    await eventually(async () => (await connector()).write_cap.state === 'tripped', patience);
    const { status, write_cap: cap } = await connector();
    expect(status).toBe('paused');
    expect(cap.tripped_writes).toBeGreaterThanOrEqual(limit);
    expect(cap.tripped_writes).toBeLessThan(limit + 100);

    // Ingestion learns of the pause within two seconds: what it takes until then is an event like any other.
    await eventually(async () => (await send([contact(900, 'late')])).status === 423, patience);
    const call = { email: 'hook@cap.example', name: 'hooked' };
    const signature = createHmac('sha256', secret).update(JSON.stringify(call)).digest('hex');
    const hooked = await ask('POST', `/api/webhooks/${id}/hook`, { 'x-signature': signature }, call);
    expect(hooked).toMatchObject({ status: 202 });
    const statusOf = async (eventId: string) => (await ask('GET', `/api/v1/events/${eventId}/status`, key)).body;
    await eventually(async () => (await statusOf(second.body.event_id)).status === 'pending', patience);
    expect((await statusOf(second.body.event_id)).held).toMatchObject({ reason: 'write_cap' });
    const patched = await ask('PATCH', path, token, { status: 'active' });
    expect(patched).toEqual({ status: 409, body: { detail: { error: 'write_cap_release_required' } } });
    expect((await ask('POST', `${path}/write-cap/release`, bearer(file.organization_api_key))).status).toBe(403);

    const released = await ask('POST', `${path}/write-cap/release`, token);
    expect(released).toMatchObject({ status: 202, body: { write_cap: { state: 'releasing' } } });
    await eventually(async () => (await connector()).write_cap.state === 'released', patience);
    const opened = await connector();
    expect(opened).toMatchObject({ status: 'active', write_cap: { state: 'released', limit, tripped_at: cap.tripped_at } });
    // Writes that were in flight at the pause may have been counted since.
    expect(opened.write_cap.tripped_writes).toBeGreaterThanOrEqual(cap.tripped_writes);
    expect(opened.write_cap.tripped_writes).toBeLessThan(limit + 100);
    for (const { body } of [first, second, hooked])
      await eventually(async () => (await statusOf(body.event_id)).status === 'completed', patience);
    const listing = '/_sim/records?portal_id=1000001&object_type=contacts';
    const found = await ask('GET', listing, {}, undefined, file.crm_simulator_url!);
    const names = new Map(found.body.items.map(({ properties }: any) => [properties.email, properties.firstname]));
    expect(contacts.map((n) => names.get(`c${n}@cap.example`))).toEqual(contacts.map(() => 'second'));
    expect(names.get('hook@cap.example')).toBe('hooked');
    await eventually(async () => (await send([contact(0, 'fourth')])).status === 202, patience);
  });
});
