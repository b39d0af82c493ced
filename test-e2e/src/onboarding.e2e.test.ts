import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bearer } from '@sluice/api-client';
import { createSeededRandom } from '@sluice/seeded-random';
import type { StandaloneFile } from '@sluice/standalone';
import {
  eventually, freePort, type ModelServer, spawnService, startDestination, startModelServer, type SpawnedService,
} from '@sluice/testkit';
import { commerceTasks } from './assistant-eval/commerce-tasks';
import { peopleTasks } from './assistant-eval/people-tasks';
import { runTask } from './assistant-eval/run-task';
import { scriptedAnswers } from './assistant-eval/scripted-answers';
import { call } from './support/cluster';
import { useEachSource } from './support/each-source';
import { type Customer, startTwoWayShop, twoWayConfig } from './support/two-way-shop';

const run = promisify(execFile);
const patience = { timeoutMs: 120_000, everyMs: 100 };

jest.setTimeout(600_000);

describe('a newcomer', () => {
  let folder: string;
  let sluice: SpawnedService;
  let file: StandaloneFile;
  let guide: string;
  let model: ModelServer;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-onboarding-'));
    model = await startModelServer();
    const env = {
      SLUICE_ASSISTANT_API_KEY: 'test-key', SLUICE_ASSISTANT_BASE_URL: `${model.url}/v1`,
      SLUICE_DATA_DIR: join(folder, 'data'), SLUICE_DEMO: 'off', SLUICE_LOG_LEVEL: 'warn', SLUICE_RATE_LIMIT_SCALE: '0',
      SLUICE_JOURNAL_POLL: '1',
      SLUICE_PORT: String(await freePort()), SLUICE_CRM_SIMULATOR_PORT: String(await freePort()),
    };
    sluice = await spawnService('standalone', env);
    await eventually(() => sluice.output().includes('Sluice is ready'), patience);
    file = JSON.parse(readFileSync(join(env.SLUICE_DATA_DIR, 'standalone.json'), 'utf8')) as StandaloneFile;
    guide = await (await fetch(`${file.base_url}/api/quickstart.md`)).text();
  });
  afterAll(async () => {
    await sluice?.stop();
    await model?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const records = async (objectType: string, property: string, value: string): Promise<any[]> => {
    const query = new URLSearchParams({ portal_id: '1000001', object_type: objectType, property, value });
    return (await call(file.crm_simulator_url!, 'GET', `/_sim/records?${query}`)).items;
  };

  test('gets a record into the CRM with the commands of the quickstart', async () => {
    const script = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join('\n');
    expect(script).toContain(`BASE=\${BASE:-${file.base_url}}`);
    const env = {
      PATH: process.env.PATH,
      CRM_TOKEN: 'sim-access-1000001',
      OPERATOR_TOKEN: file.operator_token,
      EMAIL: 'new@comer.example',
      PASSWORD: 'some words of mine',
    };
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { env, timeout: 180_000 });
    const status = JSON.parse(stdout.trim().split('\n').at(-1)!);
    expect(status).toMatchObject({ status: 'completed', entities_done: 1 });
    const [deal] = await records('deals', 'shop_order_number', '1001');
    expect(deal.properties).toMatchObject({ dealname: 'Order 1001', amount: '42.5', dealstage: 'appointmentscheduled' });
    const [contact] = await records('contacts', 'email', 'ada@shop.example');
    expect(deal.associations).toContainEqual(expect.objectContaining({ to_object_type: 'contacts', to_id: contact.id }));
  });

  /** What the last of a template's events leaves in the CRM: the record by its identity, and some of its properties. */
  const leaves: Record<string, [objectType: string, property: string, value: string, properties: Record<string, unknown>]> = {
    'shop-orders': ['deals', 'shop_order_number', 'SO-1001', { amount: '42.5', dealstage: 'closedwon', shop_channel: 'web' }],
    'signup-contact': ['contacts', 'email', 'grace@app.example', { lastname: 'Hopper', app_plan: 'business', app_user_id: '77' }],
    'support-tickets': ['tickets', 'helpdesk_ticket_id', '9', { content: 'It says wrong.', hs_pipeline_stage: '4' }],
    'product-catalogue': ['products', 'catalogue_number', 'TEA-1', { price: '8.4', catalogue_availability: 'on_order' }],
    'subscription-status': ['companies', 'domain', 'acme.example', { subscription_status: 'cancelled', name: 'Acme' }],
    'erp-accounts': ['companies', 'erp_account_number', '00004711', { erp_credit_limit: '7500', country: 'DE', zip: '10115' }],
  };

  test('has every template run as its samples say', async () => {
    const auth = bearer(file.organization_api_key);
    const { items } = await call(file.base_url, 'GET', '/api/v1/templates', undefined, auth);
    expect(items.map(({ id }: { id: string }) => id).sort()).toEqual([...Object.keys(leaves), 'crm-contacts-to-rest'].sort());
    for (const { id } of items.filter((item: { id: string }) => leaves[item.id])) {
      const template = await call(file.base_url, 'GET', `/api/v1/templates/${id}`, undefined, auth);
      const asked = { name: id, create_api_key: true, api_key_label: 'test' };
      const connector = await call(file.base_url, 'POST', `/api/v1/connectors/from-template/${id}`, asked, auth);
      const bound = { credential_id: file.crm_credential_id };
      await call(file.base_url, 'PATCH', `/api/connectors/${connector.id}`, bound, auth);
      await call(file.base_url, 'POST', `/api/connectors/${connector.id}/publish`, {}, auth);
      const key = { 'x-api-key': connector.api_key.raw_key };
      const send = (event: unknown) => call(file.base_url, 'POST', '/api/v1/events', event, key);
      // Until the acceptors know the version, they say that nothing is subscribed to the event.
      await eventually(async () => (await send(template.sample_events[0])).hint === null, patience);
      for (const event of template.sample_events) {
        const { event_id: eventId } = await send(event);
        const status = () => call(file.base_url, 'GET', `/api/v1/events/${eventId}/status`, undefined, key);
        await eventually(async () => !['processing', 'pending'].includes((await status()).status), patience);
        expect([id, event.event, await status()]).toEqual([id, event.event, expect.objectContaining({ status: 'completed' })]);
        // What was written is what the CRM holds, as verify reads it.
        const { entities } = await call(file.base_url, 'GET', `/api/v1/events/${eventId}/verify`, undefined, key);
        const differing = entities.filter((entity: { status: string }) => entity.status !== 'match');
        expect([id, event.event, entities.length > 0, differing]).toEqual([id, event.event, true, []]);
      }
      const [objectType, property, value, properties] = leaves[id]!;
      const found = await records(objectType, property, value);
      expect([id, found.map((record) => record.properties)]).toEqual([id, [expect.objectContaining(properties)]]);
    }
  });

  test('has the assistant build configs, which the evaluation scores by what arrives in the CRM', async () => {
    const tasks = [...peopleTasks, ...commerceTasks];
    expect([tasks.length, new Set(tasks.map(({ name }) => name)).size]).toEqual([20, 20]);
    const installation = {
      baseUrl: file.base_url, crmSimulatorUrl: file.crm_simulator_url!, auth: bearer(file.organization_api_key),
      crmCredentialId: file.crm_credential_id!, portalId: 1_000_001,
    };
    const propose = (patch: object) => model.play(
      { calls: [{ id: 'c1', name: 'read_config', arguments: '{}' }] },
      { calls: [{ id: 'c2', name: 'propose_patch', arguments: JSON.stringify({ patch, summary: 'As you wish' }) }] },
      { text: ['Apply it.'] },
    );
    for (const [name, patch] of Object.entries(scriptedAnswers)) {
      propose(patch);
      const score = await runTask(installation, tasks.find((task) => task.name === name)!);
      expect(score).toEqual({ task: name, passed: true, problem: null, toolCalls: 2, tokens: 45 });
    }
    // A config that is published and does not do what was asked for scores nothing, and neither do words alone.
    propose(scriptedAnswers['contacts']!);
    const wrong = { ...peopleTasks[0]!, expected: [{ objectType: 'contacts', property: 'email', value: 'nobody@one.example' }] };
    expect(await runTask(installation, wrong)).toMatchObject({ passed: false, problem: expect.stringContaining('there are 0') });
    model.play({ text: ['I would rather not.'] });
    expect(await runTask(installation, peopleTasks[1]!)).toMatchObject({ passed: false, problem: 'nothing was proposed (end)' });
  });

  test('has contacts of the CRM put into a REST API, and deleted there', async () => {
    const shop = await startDestination();
    const auth = bearer(file.organization_api_key);
    const template = await call(file.base_url, 'GET', '/api/v1/templates/crm-contacts-to-rest', undefined, auth);
    const asked = { name: 'rest', create_api_key: true };
    const made = await call(file.base_url, 'POST', '/api/v1/connectors/from-template/crm-contacts-to-rest', asked, auth);
    await call(file.base_url, 'PATCH', `/api/connectors/${made.id}`, { credential_id: file.crm_credential_id }, auth);
    const config = { config: { base_url: `${shop.url}/api` } };
    await call(file.base_url, 'PATCH', `/api/connectors/${made.id}/draft/sources/shop`, config, auth);
    await call(file.base_url, 'POST', `/api/connectors/${made.id}/publish`, {}, auth);
    const key = { 'x-api-key': made.api_key.raw_key };
    const send = (event: unknown) => call(file.base_url, 'POST', '/api/v1/events', event, key);
    const [changed, deleted] = template.sample_events;
    shop.answerBy(({ method }) => ({ status: 200, ...(method === 'PUT' && { body: { id: 'c-17' } }) }));
    await eventually(async () => expect((await send(changed)).hint).toBeNull(), patience);
    await eventually(() => expect(shop.received.map(({ method }) => method)).toContain('PUT'), patience);
    await send(deleted);
    await eventually(() => expect(shop.received.map(({ method }) => method)).toContain('DELETE'), patience);
    const person = { crm_id: '501', email: 'ada@shop.example', first_name: 'Ada', last_name: 'Lovelace' };
    expect(shop.received[0]).toMatchObject({ method: 'PUT', path: '/api/customers/501', body: person });
    expect(shop.received.at(-1)).toMatchObject({ method: 'DELETE', path: '/api/customers/c-17' });
    await shop.stop();
  });

  test('has customers edited at once in a shop and in the CRM: both end equal, and nothing is sent any more', async () => {
    const shop = await startTwoWayShop();
    const auth = bearer(file.organization_api_key);
    const asked = { name: 'two-way', create_api_key: true, api_key_label: 'shop', credential_id: file.crm_credential_id };
    const connector = await call(file.base_url, 'POST', '/api/connectors', asked, auth);
    const at = `/api/connectors/${connector.id}`;
    await call(file.base_url, 'PUT', `${at}/draft`, twoWayConfig(shop.url), auth);
    await call(file.base_url, 'POST', `${at}/publish`, {}, auth);
    const emails = ['ada', 'bob', 'eve', 'kim'].map((name) => `${name}@two-way.example`);
    const contact = async (email: string) => (await records('contacts', 'email', email))[0];
    let events = 0;
    /** A person edits a customer of the shop, which tells Sluice. */
    const inShop = (email: string, change: Partial<Customer>) => {
      const customer = { email, name: 'new', phone: '0', ...shop.customers.get(email), ...change };
      shop.customers.set(email, customer);
      events += 1;
      const entities = [{ type: 'customer', externalObjectId: email, properties: customer }];
      const key = { 'x-api-key': connector.api_key.raw_key };
      return call(file.base_url, 'POST', '/api/v1/events', { event: 'customers', entities }, key);
    };
    let edits = 0;
    const inCrm = async (email: string, properties: object) => {
      edits += 1;
      const edit = { portal_id: 1_000_001, object_type: 'contacts', id: (await contact(email)).id, action: 'update', properties };
      await call(file.crm_simulator_url!, 'POST', '/_sim/edits', edit);
    };
    // Until the acceptors know the version, they say that nothing is subscribed to the event.
    await eventually(async () => expect((await inShop(emails[0]!, {})).hint).toBeNull(), patience);
    for (const email of emails.slice(1)) await inShop(email, {});
    for (const email of emails) await eventually(async () => expect(await contact(email)).toBeDefined(), patience);

    // A person edits a customer while a request with another value of it is under way: it has an effect after the edit. No later
    // edit of this customer repairs that.
    let crossed = false;
    shop.during(async ({ email, name }) => {
      if (crossed || name !== 'by the CRM') return;
      crossed = true;
      await inShop(email, { name: 'by the shop' });
      await eventually(async () => expect((await contact(email)).properties.firstname).toBe('by the shop'), patience);
    });
    await inCrm(emails[0]!, { firstname: 'by the CRM' });
    await eventually(() => crossed, patience);

    const random = createSeededRandom(21);
    for (let edit = 1; edit <= 80; edit += 1) {
      const email = random.pick(emails.slice(1));
      const [field, property] = random.pick([['name', 'firstname'], ['phone', 'phone']] as const);
      if (random.chance(0.5)) await inShop(email, { [field]: String(edit) });
      else await inCrm(email, { [property]: String(edit) });
    }
    let [seen, since] = ['', performance.now()];
    let byApi = 0;
    await eventually(async () => {
      const contacts = await Promise.all(emails.map(contact));
      byApi = contacts.flatMap(({ write_log: log }) => log).filter(({ source }) => source === 'api').length;
      const inBoth = contacts.map(({ properties: { email, firstname: name, phone } }) =>
        [{ email, name, phone }, shop.customers.get(email)]);
      const now = JSON.stringify([shop.puts(), byApi, inBoth]);
      if (now !== seen) [seen, since] = [now, performance.now()];
      for (const [crm, own] of inBoth) expect(crm).toEqual(own);
      expect(performance.now() - since).toBeGreaterThan(4_000);
    }, { ...patience, everyMs: 200 });
    // Each edit is passed on once, and at most once more each time that it crossed another one.
    expect(byApi).toBeLessThanOrEqual(events);
    expect(shop.puts()).toBeLessThanOrEqual(edits + byApi);
    await shop.stop();
  });

  test('brings a record into the CRM from a source of each type, with the config of docs/reference/sources.md', async () => {
    const erp = await startDestination();
    const { fileOf, sourcesOf, unsigned } = await useEachSource(file, erp);
    expect(unsigned).toBe(401);
    for (const name of ['api', 'shop', 'erp', 'nightly', 'list', 'info']) {
      const found = () => records('contacts', 'email', `${name}@one-of-each.example`);
      await eventually(async () => expect([name, (await found()).length]).toEqual([name, 1]), patience);
    }
    expect((await sourcesOf()).find(({ name }) => name === 'erp')).toMatchObject({ cursor: '7', last_error: null });
    expect(await fileOf()).toMatchObject({ status: 'completed', rows_queued: 1, rows_discarded: 1, discarded: [{ line: 3 }] });
    await erp.stop();
  });

  /** A contact whose job title is what the plugin answered. */
  const scored = {
    version: '3.0', sources: [{ name: 'api', type: 'event_api', config: {} }],
    entities: [{ name: 'buyer', schemas: { crm: {
      object_type: 'contacts', identity: { strategy: 'match_or_create', property: 'email' },
      field_mappings: [{ source: '$.payload.email', target: 'email' }, { source: '$rate.score', target: 'jobtitle' }],
    } } }],
    flows: [{ name: 'buyers', source: 'api', event_type: 'buyer.rated', steps: [
      { id: 'rate', action: 'plugin', plugin: { logical_name: 'score', config: { high_from: 200 } } },
      { id: 'write', action: 'upsert', target: 'crm', entity: 'buyer' },
    ] }],
  };

  test('writes a plugin with the kit, and a flow runs it; it is in the data export, and not deleted while it is used',
    async () => {
    const cli = async (...args: string[]): Promise<string> => {
      const main = join(__dirname, '..', '..', 'packages', 'cli', 'dist', 'main.js');
      const env = { PATH: process.env.PATH, SLUICE_DATA_DIR: 'data' };
      return (await run(process.execPath, [main, ...args], { cwd: folder, env, timeout: 120_000 })).stdout.trim();
    };
    await cli('plugin', 'new', 'score');
    expect(await cli('plugin', 'test', 'score')).toContain('All 2 events of score gave what was expected.');
    expect(await cli('plugin', 'push', 'score')).toBe('✓ score is dev');
    expect(await cli('plugin', 'promote', 'score')).toBe('✓ score is live (live 1)');
    const auth = bearer(file.organization_api_key);
    const asked = { name: 'scores', create_api_key: true, credential_id: file.crm_credential_id };
    const connector = await call(file.base_url, 'POST', '/api/connectors', asked, auth);
    await call(file.base_url, 'PUT', `/api/connectors/${connector.id}/draft`, scored, auth);
    await call(file.base_url, 'POST', `/api/connectors/${connector.id}/publish`, {}, auth);
    const event = { event: 'buyer.rated', recordKey: 'rich', data: { email: 'rich@shop.example', total: 250 } };
    const send = () => call(file.base_url, 'POST', '/api/v1/events', event, { 'x-api-key': connector.api_key.raw_key });
    await eventually(async () => expect((await send()).hint).toBeNull(), patience);
    await eventually(async () => {
      const [contact] = await records('contacts', 'email', 'rich@shop.example');
      expect(contact?.properties).toMatchObject({ jobtitle: 'high' });
    }, patience);
    await eventually(async () => expect(await cli('plugin', 'logs', 'score')).toContain('scored 250 high'), patience);
    const { id } = await call(file.base_url, 'POST', '/api/data-exports', {}, auth);
    const exported = () => call(file.base_url, 'GET', `/api/data-exports/${id}`, undefined, auth);
    await eventually(async () => expect((await exported()).status).toBe('completed'), patience);
    const { url } = await call(file.base_url, 'GET', `/api/data-exports/${id}/download`, undefined, auth);
    writeFileSync(join(folder, 'export.zip'), Buffer.from(await (await fetch(url)).arrayBuffer()));
    const verified = await cli('export', 'verify', 'export.zip');
    for (const line of ['✓ plugins/plugins.jsonl  1 records', '✓ plugins/score/source.ts', '✓ plugins/score/bundle.js'])
      expect(verified).toContain(line);
    const { items: [plugin] } = await call(file.base_url, 'GET', '/api/plugins', undefined, auth);
    await expect(call(file.base_url, 'DELETE', `/api/plugins/${plugin.id}`, undefined, auth)).rejects.toThrow('plugin_in_use');
  });
});
