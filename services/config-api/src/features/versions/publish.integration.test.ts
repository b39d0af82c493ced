import type { ConfigDocument, SourceType, Step } from '@sluice/contracts';
import { contactConfig } from '../../test-support/contact-config';
import { startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterAll(() => lab.stop());

/** An owner with a connector on a portal of its own. */
async function start(options: { tier?: string; portalId?: number } = {}) {
  const owner = await lab.owner(options.tier);
  if (options.portalId) {
    const { accessToken } = lab.simulator.state.addPortal(options.portalId, {
      ...lab.simulator.state.portals.get(1_000_001)!.settings,
    });
    await owner
      .post('/api/credentials', { name: 'portal', credential_type: 'crm_oauth', data: { access_token: accessToken } })
      .expect(201);
  }
  const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body as { id: string };
  const path = `/api/connectors/${id}`;
  return { owner, id, path, draft: `${path}/draft`, publish: `${path}/publish` };
}
const withSources = (sources: ConfigDocument['sources']): ConfigDocument => ({
  version: '3.0',
  entities: [],
  flows: [],
  sources,
});
const calls = (portalId: number, path: RegExp) =>
  [...lab.simulator.state.calls.entries()].filter(
    (call) => call.portalId === portalId && call.method === 'POST' && path.test(call.path),
  );

describe('the draft', () => {
  test('is created by its first read and replaced whole', async () => {
    const { owner, draft } = await start();
    const first = (await owner.get(draft).expect(200)).body;
    expect(first).toMatchObject({
      base_version: null,
      draft_version: 1,
      updated_by: null,
      has_changes: false,
      direction: null,
      flow_directions: {},
      warnings: [],
    });
    const replaced = (await owner.put(draft, contactConfig).expect(200)).body;
    expect(replaced).toMatchObject({
      config: contactConfig,
      draft_version: 2,
      updated_by: owner.userId,
      has_changes: true,
      direction: 'inbound',
      flow_directions: { customers: 'inbound' },
    });
    expect((await owner.get(draft)).body).toEqual(replaced);
  });

  test('refuses a document with all its problems at once', async () => {
    const { owner, draft } = await start();
    const broken = {
      ...contactConfig,
      extra: 1,
      flows: [
        {
          ...contactConfig.flows[0]!,
          steps: [
            { id: 'a', action: 'fly' },
            { id: 'a', action: 'skip' },
          ],
        },
      ],
    };
    const { detail } = (await owner.put(draft, broken).expect(422)).body;
    expect(detail.length).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(detail)).toMatch(/extra/);
    expect((await owner.get(draft)).body.draft_version).toBe(1);
    const large = { ...contactConfig, settings: { note: 'x'.repeat(1_048_576) } };
    expect((await owner.put(draft, large).expect(413)).body).toEqual({
      detail: { error: 'payload_too_large', limit_bytes: 1_048_576 },
    });
    const larger = { ...contactConfig, settings: { note: 'x'.repeat(2_000_000) } };
    expect((await owner.put(draft, larger).expect(413)).body).toEqual({
      detail: { error: 'payload_too_large', limit_bytes: 1_048_576 },
    });
    expect((await owner.put(draft, { ...contactConfig, settings: { note: 'a\0b' } }).expect(422)).body.detail).toMatchObject([
      { type: 'string_unicode', loc: ['body', 'settings', 'note'] },
    ]);
    await owner.put(draft).set('content-type', 'application/json').send('{"a":').expect(400);
  });

  test('is patched by RFC 7396, guarded by its version', async () => {
    const { owner, draft } = await start();
    await owner.put(draft, contactConfig).expect(200);
    const patched = (await owner.patch(draft, { settings: { note: 'x' }, expected_version: 2 }).expect(200)).body;
    expect([patched.draft_version, patched.config]).toEqual([3, { ...contactConfig, settings: { note: 'x' } }]);
    expect((await owner.patch(draft, { settings: { note: null }, expected_version: 2 }).expect(409)).body).toEqual({
      detail: { code: 'draft_version_conflict', expected_version: 2, draft_version: 3 },
    });
    expect((await owner.patch(draft, { patch: { settings: { note: null } } }).expect(200)).body.config.settings).toEqual({});
    await owner.patch(draft, { config: {} }).expect(422);
    const both = await Promise.all([1, 2, 3].map((n) => owner.patch(draft, { settings: { [`n${n}`]: n } })));
    expect(both.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await owner.get(draft)).body.config.settings).toEqual({ n1: 1, n2: 2, n3: 3 });
  });

  test('has custom object types within the plan', async () => {
    const { owner, draft } = await start({ tier: 'pro' });
    const config = structuredClone(contactConfig);
    config.entities[0]!.schemas.crm!.object_type = 'p1000001_boats';
    expect((await owner.put(draft, config).expect(402)).body.detail).toMatchObject({
      error: 'custom_objects_not_allowed',
      custom_object_types: ['p1000001_boats'],
    });
  });

  test.each<[string, Partial<Step>]>([
    ['find', { match: { email: 'a@b.co' } }],
    ['query', {}],
    ['update_by_id', { object_id: '$.payload.id', data: { a: 1 } }],
  ])('has none on a plan without them, also not through the object_type of %s', async (action, fields) => {
    const { owner, draft } = await start({ tier: 'free' });
    const flow = (object_type: string) => ({
      source: 'event_api', event_type: 'x', steps: [{ id: 'it', action, target: 'crm', object_type, ...fields }],
    });
    const refused = await owner.put(`${draft}/flows/odd`, flow('p1000001_boats')).expect(402);
    expect(refused.body.detail).toMatchObject({ error: 'custom_objects_not_allowed', custom_object_types: ['p1000001_boats'] });
    await owner.put(`${draft}/flows/odd`, flow('contacts')).expect(200);
  });

  test('one custom object type that is named by name and by id counts once', async () => {
    const { owner, draft } = await start({ tier: 'scale' });
    const named = (types: string[]) =>
      types.map((object_type, index) => ({ name: `e${index}`, schemas: { crm: { object_type } } }));
    const types = Array.from({ length: 5 }, (_, index) => [`p1_t${index}`, `2-${index}`]).flat();
    await owner.put(draft, { ...contactConfig, flows: [], entities: named(types) }).expect(200);
    const refused = await owner.put(draft, { ...contactConfig, flows: [], entities: named([...types, '2-5']) }).expect(402);
    expect(refused.body.detail).toMatchObject({ error: 'custom_object_type_limit_reached', limit: 5, usage: 5 });
  });

  test('counts its custom object types for the billing view, each once', async () => {
    const { owner, draft } = await start();
    const used = async () => (await owner.get('/api/v1/billing/me').expect(200)).body.custom_object_types_used;
    const config = structuredClone(contactConfig);
    const boat = { name: 'boat', schemas: { crm: { object_type: 'p1000001_boats' } } };
    await owner.put(draft, { ...config, entities: [...config.entities, boat, { ...boat, name: 'ship' }] }).expect(200);
    expect(await used()).toBe(1);
    await owner.put(draft, config).expect(200);
    expect(await used()).toBe(0);
  });
});

describe('publish', () => {
  test('numbers versions, keeps them, knows when nothing changed', async () => {
    const { owner, path, draft, publish } = await start();
    for (const none of ['active', '1', '99'])
      expect((await owner.get(`${path}/versions/${none}`).expect(404)).body).toEqual({ detail: 'Not Found' });
    expect((await owner.post(publish).expect(200)).body).toMatchObject({
      version: 1,
      no_changes: false,
      published_by: owner.userId,
    });
    expect((await owner.post(publish).expect(200)).body).toMatchObject({
      version: 1,
      no_changes: true,
      created_sources: [],
      provisioned: [],
    });
    expect((await owner.post(publish, { force: true }).expect(200)).body).toMatchObject({
      version: 2,
      no_changes: false,
      change_summary: 'Forced republish',
    });
    const config = {
      ...withSources([{ name: 'ticks', type: 'scheduled', config: { schedule: '* * * * *' } }]),
      flows: [{ name: 'off', source: 'ticks', event_type: 'x', enabled: false, steps: [] }],
    };
    await owner.put(draft, config).expect(200);
    await owner.post(publish, { change_summary: 'ticks' }).expect(200);
    expect((await owner.get(path).expect(200)).body.health).toMatchObject({
      state: 'healthy',
      flows: [{ name: 'off', state: 'closed' }],
    });
    const list = (await owner.get(`${path}/versions`).expect(200)).body;
    expect(
      list.items.map(({ version, is_active, change_summary }: Record<string, unknown>) => [version, is_active, change_summary]),
    ).toEqual([
      [3, true, 'ticks'],
      [2, false, 'Forced republish'],
      [1, false, null],
    ]);
    expect(list.items[0]).not.toHaveProperty('config');
    expect((await owner.get(`${path}/versions/active`).expect(200)).body).toMatchObject({
      version: 3,
      config: { sources: [{ name: 'ticks' }] },
    });
    expect((await owner.get(`${path}/versions/1`).expect(200)).body).toMatchObject({
      version: 1,
      is_active: false,
      config: { sources: [] },
    });
    await owner.get(`${path}/versions/9`).expect(404);
    await owner.get(`${path}/versions/x`).expect(422);
    expect((await owner.get(draft)).body).toMatchObject({ base_version: 3, has_changes: false });
    expect((await owner.post(`${path}/versions/1/restore`).expect(200)).body).toMatchObject({
      base_version: 3,
      has_changes: true,
      config: { sources: [] },
    });
    expect((await owner.post(`${draft}/reset`).expect(200)).body).toMatchObject({
      base_version: 3,
      has_changes: false,
      config: { sources: [{ name: 'ticks' }] },
    });
    await owner.post(publish, { unknown: 1, force: 'yes' }).expect(422);
  });

  test('two publishes at once: one wins, the other is stale', async () => {
    const { owner, path, draft, publish } = await start();
    await owner.put(draft, withSources([{ name: 'a', type: 'event_api' }])).expect(200);
    const answers = await Promise.all([owner.post(publish, { force: true }), owner.post(publish, { force: true })]);
    const stale = answers.filter(({ status }) => status === 409);
    for (const { body } of stale)
      expect(body.detail).toMatchObject({ code: 'stale_base_version', base_version: 0, active_version: 1 });
    expect((await owner.get(`${path}/versions`)).body.total).toBe(2 - stale.length);
    await lab.pool.query('UPDATE drafts SET base_version = 0 WHERE connector_id = $1', [path.split('/').at(-1)]);
    await owner.put(draft, withSources([])).expect(200);
    await owner.post(publish).expect(409);
    await owner.post(`${draft}/reset`).expect(200);
  });

  test('a webhook source gets its secret from the publish that creates it, once', async () => {
    const { owner, id, draft, publish } = await start();
    await owner
      .put(
        draft,
        withSources([
          { name: 'shop hook', type: 'webhook', config: { signature_header: 'X-Sig' } },
          { name: 'ticks', type: 'scheduled', config: { schedule: '* * * * *' } },
        ]),
      )
      .expect(200);
    const { created_sources: created } = (await owner.post(publish).expect(200)).body;
    expect(created).toEqual([
      {
        name: 'shop hook',
        type: 'webhook',
        url: `http://sluice.test/api/webhooks/${id}/shop%20hook`,
        secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
      },
      { name: 'ticks', type: 'scheduled', url: null, secret: null },
    ]);
    expect((await owner.post(publish, { force: true }).expect(200)).body.created_sources).toEqual([]);
    const { rows } = await lab.pool.query('SELECT sealed FROM connector_sources WHERE connector_id = $1 AND name = $2', [
      id,
      'shop hook',
    ]);
    expect(rows[0].sealed).not.toContain(created[0].secret);
  });

  test('warns of each location that is not watched, and of no source that is served, also when nothing changes', async () => {
    const { owner, draft, publish } = await start();
    const types = ['event_api', 'webhook', 'poller', 'scheduled', 'crm', 'rest', 'file'] as const;
    const url = 'https://erp.example.com';
    const required: Partial<Record<SourceType, object>> = {
      poller: { url }, rest: { base_url: url }, scheduled: { schedule: '@daily' }, file: { location: 's3://exports/orders/' },
    };
    const declared = types.map((type) => ({ name: `of ${type}`, type, config: { ...required[type] } }));
    await owner.put(draft, withSources(declared)).expect(200);
    for (const force of [undefined, true]) {
      const { warnings } = (await owner.post(publish, { force }).expect(200)).body;
      expect(warnings.map(({ code, field }: Record<string, unknown>) => `${code} ${field}`)).toEqual(
        ['source_not_served sources.6.config.location'],
      );
      expect(warnings[0].message).toContain("The location of source 'of file' is not watched");
    }
    const again = (await owner.post(publish).expect(200)).body;
    expect([again.no_changes, again.warnings.length]).toEqual([true, 1]);
  });

  test('refuses undeclared names and missing credentials', async () => {
    const { owner, draft, publish } = await start();
    const source = {
      name: 'erp',
      type: 'rest',
      config: { base_url: 'https://erp.example', credential_name: 'erp-key' },
    } as const;
    await owner
      .put(draft, {
        ...withSources([source]),
        flows: [{ name: 'f', source: 'nowhere', event_type: 'x', steps: [{ id: 's', action: 'skip' }] }],
      })
      .expect(200);
    const { detail } = (await owner.post(publish).expect(422)).body;
    expect(detail.map(({ type }: { type: string }) => type).sort()).toEqual(['missing_credential', 'undeclared_source']);
    await owner.post('/api/credentials', { name: 'erp-key', credential_type: 'api_key', data: { value: 'a-key' } }).expect(201);
    await owner.put(draft, withSources([source])).expect(200);
    await owner.post(publish).expect(200);
  });

  test('sources count from the publish that creates them, against all connectors', async () => {
    const { owner, draft, publish } = await start({ tier: 'free' });
    const sources = (n: number): ConfigDocument['sources'] =>
      Array.from({ length: n }, (_, index) => ({ name: `s${index}`, type: 'event_api' }));
    await owner.put(draft, withSources(sources(5))).expect(200);
    expect((await owner.post(publish).expect(402)).body.detail).toMatchObject({
      error: 'event_source_limit_reached',
      limit: 4,
      usage: 0,
    });
    await owner.put(draft, withSources(sources(4))).expect(200);
    await owner.post(publish).expect(200);
    expect((await owner.get('/api/v1/billing/me')).body).toMatchObject({ event_sources_used: 4, event_sources_limit: 4 });
  });
});

test('flows and steps are limited by the plan; a config over a limit may shrink, not grow', async () => {
  const { owner, draft, publish } = await start({ tier: 'free' });
  const agree = (limits: object) => lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { limits }).expect(200);
  const withFlows = (flows: number, steps: number): ConfigDocument => ({
    ...withSources([]),
    flows: Array.from({ length: flows }, (_, flow) => ({
      name: `f${flow}`, source: 'event_api', event_type: `e${flow}`,
      steps: Array.from({ length: steps }, (_step, step) => ({ id: `s${step}`, action: 'skip' as const })),
    })),
  });
  const published = async (flows: number, steps: number) => {
    await owner.put(draft, withFlows(flows, steps)).expect(200);
    return owner.post(publish);
  };
  expect((await published(3, 2)).status).toBe(200);
  await agree({ flows_limit: 1, steps_limit: 4 });
  expect((await published(2, 2)).status).toBe(200);
  const refused = (error: string, limit: number, usage: number) =>
    ({ status: 402, body: { detail: { error, tier: 'free', limit, usage } } });
  expect(await published(3, 1)).toMatchObject(refused('flow_limit_reached', 1, 3));
  expect(await published(1, 5)).toMatchObject(refused('step_limit_reached', 4, 5));
  expect((await published(1, 4)).status).toBe(200);
});

describe('provisioning', () => {
  test('creates groups and properties before the version, never changes what exists, resumes', async () => {
    const { owner, path, draft, publish } = await start({ portalId: 5_000_001 });
    await owner
      .patch(path, { settings: { crm_provisioning: { property_group: 'shop', property_group_label: 'The shop' } } })
      .expect(200);
    const config = structuredClone(contactConfig);
    config.entities[0]!.schemas.crm!.field_mappings!.push({
      source: '$.payload.level',
      target: 'level',
      crm_type: 'enumeration',
      crm_field_type: 'select',
      crm_options: [{ value: 'gold', label: 'Gold' }],
    });
    config.entities.push({
      name: 'order',
      schemas: {
        crm: {
          object_type: 'deals',
          identity: { property: 'order_no' },
          field_mappings: [{ source: '$.payload.total', target: 'amount' }],
        },
      },
    });
    await owner.put(draft, config).expect(200);
    const { provisioned } = (await owner.post(publish).expect(200)).body;
    expect(provisioned).toEqual([
      { entity: 'customer', object_type: 'contacts', created: ['shop_id', 'level'], skipped_existing: ['email'] },
      { entity: 'order', object_type: 'deals', created: ['order_no'], skipped_existing: ['amount'] },
    ]);
    const created = calls(5_000_001, /properties\/(contacts|deals)\/batch\/create/).flatMap(
      (call) => (JSON.parse(call.request!) as { inputs: Record<string, unknown>[] }).inputs,
    );
    expect(created.map(({ name, groupName, hasUniqueValue, label }) => [name, groupName, hasUniqueValue, label])).toEqual([
      ['shop_id', 'shop', undefined, 'Shop id'], ['level', 'shop', undefined, 'Level'], ['order_no', 'shop', true, 'Order no'],
    ]);
    const again = (await owner.post(publish, { force: true }).expect(200)).body.provisioned;
    expect(again.map((entry: { created: string[] }) => entry.created)).toEqual([[], []]);
    const groups = calls(5_000_001, /groups/).map((call) => JSON.parse(call.request!) as { name: string; label: string });
    expect(groups.map(({ name, label }) => [name, label])).toEqual([['shop', 'The shop'], ['shop', 'The shop']]);
  });

  test('a failure is a 422 with errors and what was provisioned; no version appears; a retry resumes', async () => {
    const { owner, path, draft, publish } = await start({ portalId: 5_000_002 });
    const config = structuredClone(contactConfig);
    config.entities.push({
      name: 'thing',
      schemas: {
        crm: {
          object_type: 'companies',
          field_mappings: [{ source: '$.payload.x', target: 'odd', crm_type: 'number', crm_field_type: 'select' }],
        },
      },
    });
    await owner.put(draft, config).expect(200);
    const { detail } = (await owner.post(publish).expect(422)).body;
    expect(detail).toMatchObject({
      code: 'provisioning_failed',
      errors: [{ entity: 'thing', object_type: 'companies', property: 'odd' }],
      provisioned: [
        { entity: 'customer', created: ['shop_id'] },
        { entity: 'thing', created: [] },
      ],
    });
    await owner.get(`${path}/versions/active`).expect(404);
    config.entities[1]!.schemas.crm!.field_mappings![0]!.crm_field_type = 'number';
    await owner.put(draft, config).expect(200);
    expect((await owner.post(publish).expect(200)).body.provisioned).toMatchObject([
      { created: [], skipped_existing: ['email', 'shop_id'] },
      { created: ['odd'] },
    ]);
  });

  test('without a portal it warns; with several and none chosen it refuses', async () => {
    const { owner, draft, publish } = await start();
    await owner.put(draft, contactConfig).expect(200);
    expect((await owner.post(publish).expect(200)).body).toMatchObject({
      version: 1,
      provisioned: [],
      warnings: [{ code: 'connector_has_no_credential', severity: 'warning' }],
    });
    const several = await start({ portalId: 5_000_003 });
    const { accessToken } = lab.simulator.state.addPortal(5_000_004, { ...lab.simulator.state.portals.get(1_000_001)!.settings });
    await several.owner
      .post('/api/credentials', { name: 'second', credential_type: 'crm_oauth', data: { access_token: accessToken } })
      .expect(201);
    await several.owner.put(several.draft, contactConfig).expect(200);
    expect((await several.owner.post(several.publish).expect(422)).body.detail.code).toBe('crm_portal_not_bound');
  });

  test('a portal bound later is provisioned for the active version', async () => {
    const { owner, path, draft, publish } = await start();
    await owner.put(draft, contactConfig).expect(200);
    await owner.post(publish).expect(200);
    const { accessToken } = lab.simulator.state.addPortal(5_000_006, { ...lab.simulator.state.portals.get(1_000_001)!.settings });
    const credential = (
      await owner
        .post('/api/credentials', { name: 'late', credential_type: 'crm_oauth', data: { access_token: accessToken } })
        .expect(201)
    ).body;
    await owner.patch(path, { credential_id: credential.id }).expect(200);
    expect(calls(5_000_006, /properties\/contacts\/batch\/create/)).toHaveLength(1);
  });

  test('under the review gate something new is created only for the draft that was confirmed', async () => {
    const { owner, draft, publish } = await start({ portalId: 5_000_005 });
    await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { publish_review: true }).expect(200);
    const { draft_version } = (await owner.put(draft, contactConfig).expect(200)).body;
    expect((await owner.post(publish).expect(400)).body.detail).toMatchObject({ code: 'publish_review_required', draft_version });
    expect((await owner.post(publish, { review: { draft_version: draft_version - 1 } }).expect(409)).body.detail.code).toBe(
      'publish_review_required',
    );
    await owner.post(publish, { review: { draft_version } }).expect(200);
    await owner.post(publish, { force: true }).expect(200);
  });
});

test('the catalogue and the documentation pages', async () => {
  const { owner } = await start();
  const surface = (await owner.get('/api/config-surface').expect(200)).body;
  expect(surface.actions.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['upsert', 'associate', 'find', 'skip']),
  );
  expect(surface.json_schema.$defs).toHaveProperty('flow');
  const { put, patch } = (await lab.api().get('/api/openapi.json').expect(200)).body.paths[
    '/api/connectors/{connector_id}/draft'
  ];
  const bodies = [put, patch].map(({ requestBody }) => requestBody.content['application/json'].schema.$ref);
  expect(bodies).toEqual(['#/components/schemas/ConfigDocument', '#/components/schemas/ConfigPatch']);
  const page = await lab.api().get('/docs').expect(200);
  expect(page.headers['content-security-policy']).toContain("script-src 'self'");
  for (const [, file] of page.text.matchAll(/(?:src|href)="([^"]+)"/g)) await lab.api().get(file!).expect(200);
  const closed = ['package.json', 'index.html', 'swagger-ui.js.map', 'oauth2-redirect.html', '..%2fpackage.json'];
  for (const file of closed) await lab.api().get(`/docs/${file}`).expect(404);
  await lab.api().get('/nothing').expect(404);
});
