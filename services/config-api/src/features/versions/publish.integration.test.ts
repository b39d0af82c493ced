import type { ConfigDocument, SourceType } from '@sluice/contracts';
import { lab, shareLab } from '../../test-support/shared-lab';
import { draftTests } from './test-support/draft-tests';
import { provisioningTests } from './test-support/provisioning-tests';
import { start, withSources } from './test-support/publish-lab';

shareLab();

draftTests();
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

provisioningTests();
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
