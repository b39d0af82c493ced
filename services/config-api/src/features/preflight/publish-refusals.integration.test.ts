import { refusedConfigs } from '@sluice/config-model/testing';
import { type ConfigDocument, configProblems, configRoutes, type ErrorCode } from '@sluice/contracts';
import { contactConfig } from '../../test-support/contact-config';
import { startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterEach(() => lab.simulator.state.faults.clear());
afterAll(() => lab.stop());

interface Told { code: string; severity: string; field: string | null; reauthorize_scopes: string[] | null }

let portals = 8_500_000;
/** A connector; `portal`: bound to a portal of its own, with settings that differ from the usual ones. */
async function start({ tier, portal, limits }: { tier?: string; portal?: object; limits?: object } = {}) {
  const owner = await lab.owner(tier);
  if (limits) await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, limits).expect(200);
  const portalId = ++portals;
  if (portal) {
    const { accessToken } = lab.simulator.state.addPortal(portalId, {
      ...lab.simulator.state.portals.get(1_000_001)!.settings, ...portal,
    });
    const body = { name: 'p', credential_type: 'crm_oauth', data: { access_token: accessToken } };
    await owner.post('/api/credentials', body).expect(201);
  }
  const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body as { id: string };
  const path = `/api/connectors/${id}`;
  return {
    owner, path, portalId,
    /** Stores a draft past its checks, as a release with fewer checks may have done. */
    store: async (config: unknown) => {
      await owner.get(`${path}/draft`).expect(200);
      await lab.configStore.drafts.save(id, { config, updatedBy: 'test' });
    },
    preflight: async () => {
      const { errors, warnings, infos } = (await owner.get(`${path}/preflight`).expect(200)).body;
      return [...errors, ...warnings, ...infos] as Told[];
    },
    publish: (body: object = {}) => owner.post(`${path}/publish`, body),
  };
}

/** The code of an answer that is a refusal. */
const codeOf = (detail: any): string => (Array.isArray(detail) ? detail[0].type : (detail.code ?? detail.error)) as string;

describe('what a publish refuses of the document, preflight reports, and a save refuses what the document alone shows', () => {
  let lane: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    lane = await start();
    const tokens = { name: 'tokens', credential_type: 'bearer_token', data: { token: 'a-secret-token' } };
    await lane.owner.post('/api/credentials', tokens).expect(201);
    const elsewhere = { ...tokens, name: 'elsewhere', allowed_hosts: ['other.example'] };
    await lane.owner.post('/api/credentials', elsewhere).expect(201);
    await lane.owner.post('/api/plugins', { name: 'unreleased' }).expect(201);
  });

  test.each(refusedConfigs())('$type', async ({ type, config }) => {
    const saved = await lane.owner.put(`${lane.path}/draft`, config);
    const tooLarge = type === 'config_too_large';
    expect(saved.status).toBe(configProblems[type] === 'publish' ? 200 : tooLarge ? 413 : 422);
    if (saved.status === 422) expect(saved.body.detail.map((one: { type: string }) => one.type)).toContain(type);
    await lane.store(config);
    const refused = await lane.publish().expect(422);
    const types = (refused.body.detail as { type: string; loc: (string | number)[] }[]).map((one) => one.type);
    expect(types).toContain(type);
    const errors = (await lane.preflight()).filter(({ severity }) => severity === 'error');
    // Everything that the publish refuses, each at its place.
    const places = (refused.body.detail as { type: string; loc: (string | number)[] }[])
      .map((one) => [one.type, one.loc.slice(1).join('.') || null]);
    expect(errors.map(({ code, field }) => [code, field])).toEqual(expect.arrayContaining(places));
  });
});

const manyFlows = (count: number): ConfigDocument => ({
  ...contactConfig,
  flows: Array.from({ length: count }, (_, index) => ({
    ...contactConfig.flows[0]!, name: `f${index}`, event_type: `e${index}`,
  })),
});
const pluginStep: ConfigDocument = {
  ...contactConfig, flows: [{ ...contactConfig.flows[0]!, steps: [{ id: 'p', action: 'plugin', logical_name: 'score' }] }],
};

/** How each refusal of a publish comes about, beside those of the document, and what preflight calls it. */
const others: Partial<Record<ErrorCode, { preflight: string; arrange(): Promise<Awaited<ReturnType<typeof start>>> }>> = {
  stale_base_version: {
    preflight: 'stale_base_version',
    arrange: async () => {
      const lane = await start();
      await lane.store(contactConfig);
      await lane.publish().expect(200);
      await lab.pool.query('UPDATE drafts SET base_version = 0, config = $2 WHERE connector_id = $1', [
        lane.path.split('/').at(-1), JSON.stringify(manyFlows(2)),
      ]);
      return lane;
    },
  },
  event_source_limit_reached: {
    preflight: 'event_source_limit_reached',
    arrange: async () => {
      const lane = await start({ tier: 'free' });
      await lane.store({ ...contactConfig, sources: [1, 2, 3, 4, 5].map((index) => ({ name: `s${index}`, type: 'webhook' })) });
      return lane;
    },
  },
  flow_limit_reached: {
    preflight: 'flow_limit_reached',
    arrange: async () => {
      const lane = await start({ tier: 'free' });
      await lane.store(manyFlows(101));
      return lane;
    },
  },
  step_limit_reached: {
    preflight: 'step_limit_reached',
    arrange: async () => {
      const lane = await start({ tier: 'free' });
      const steps = Array.from({ length: 10 }, (_, index) => ({ id: `s${index}`, action: 'skip' }));
      await lane.store({ ...manyFlows(51), flows: manyFlows(51).flows.map((flow) => ({ ...flow, steps })) });
      return lane;
    },
  },
  plugin_system_not_allowed: {
    preflight: 'plugin_step_tier_not_allowed',
    arrange: async () => {
      const lane = await start({ tier: 'pro' });
      await lane.store(pluginStep);
      return lane;
    },
  },
  publish_review_required: {
    preflight: 'publish_review_required',
    arrange: async () => {
      const lane = await start({ portal: {}, limits: { publish_review: true } });
      await lane.store(contactConfig);
      return lane;
    },
  },
  crm_portal_not_bound: {
    preflight: 'connector_has_no_credential',
    arrange: async () => {
      const lane = await start({ portal: {} });
      const { settings } = lab.simulator.state.portals.get(1_000_001)!;
      const { accessToken } = lab.simulator.state.addPortal(++portals, settings);
      await lane.owner.post('/api/credentials', {
        name: 'q', credential_type: 'crm_oauth', data: { access_token: accessToken },
      }).expect(201);
      await lane.store(contactConfig);
      return lane;
    },
  },
  provisioning_failed: {
    preflight: 'provisioning_failed',
    arrange: async () => {
      const lane = await start({ portal: {} });
      await lane.store(withMapping({ target: 'Shop Id' }));
      return lane;
    },
  },
};
/** Answers of the publish that are none about the draft, or are types of the table above. */
const elsewhere: ErrorCode[] = [
  'connector_not_found', 'config_too_complex', 'secret_not_declarable', 'private_target', 'publish_review_outdated',
];

describe('what a publish refuses beside the document, preflight reports', () => {
  test('every code that a publish answers is covered here', () => {
    expect([...Object.keys(others), ...elsewhere].sort()).toEqual([...configRoutes.publishDraft.errors].sort());
  });

  test.each(Object.entries(others))('%s', async (code, { preflight, arrange }) => {
    const lane = await arrange();
    const codes = (await lane.preflight()).map((one) => one.code);
    expect(codes).toContain(preflight);
    const refused = await lane.publish();
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(codeOf(refused.body.detail)).toBe(code);
  });
});

/** The contact, with one more mapping. */
function withMapping(more: object, schema: object = {}): ConfigDocument {
  const config = structuredClone(contactConfig);
  const crm = config.entities[0]!.schemas.crm!;
  crm.field_mappings!.push({ source: '$.payload.more', ...more });
  Object.assign(crm, schema);
  return config;
}
const typed = (type: string, more: object = {}) => withMapping({ target: 'more', crm_type: type, ...more });
const withOptions = (...crm_options: object[]) => typed('enumeration', { crm_options });
const option = (value: string, label?: string) => ({ value, label });
const usualScopes = () => lab.simulator.state.portals.get(1_000_001)!.settings.scopes;

describe('what the portal would refuse to create, preflight reports at its place in the document', () => {
  const mapping = 'entities.0.schemas.crm.field_mappings.2';
  test.each<[string, () => ConfigDocument, string | null, object?]>([
    ['a property name with capitals', () => withMapping({ target: 'ShopId' }), `${mapping}.target`],
    ['a property name with a blank', () => withMapping({ target: 'shop id' }), `${mapping}.target`],
    ['a property name of 101 characters', () => withMapping({ target: 'p'.repeat(101) }), `${mapping}.target`],
    ['a name of a template', () => withMapping({ target_template: 'p_{$.payload.c}', provision_names: ['ok', 'p-eur'] }),
      `${mapping}.provision_names.1`],
    ['the name of the identity property', () => withMapping({ target: 'more' }, { identity: { property: 'Shop-Id' } }),
      'entities.0.schemas.crm.identity.property'],
    ['an unknown property type', () => typed('colour'), `${mapping}.target`],
    ['a field type that does not fit', () => typed('number', { crm_field_type: 'text' }), `${mapping}.target`],
    ['two options of one value', () => withOptions(option('a'), option('a', 'B')), `${mapping}.target`],
    ['two options of one label', () => withOptions(option('a'), option('b', 'a')), `${mapping}.target`],
    ['the name of a property group', () => withMapping({ target: 'more' }, { property_group: 'Our Shop' }),
      'entities.0.schemas.crm.object_type'],
    ['a stage without a probability', () => ({
      ...contactConfig,
      pipelines: [{ object_type: 'deals', label: 'Cars', stages: [{ label: 'Sold', closed: true }] }],
    }), 'pipelines.0'],
    ['an object type that is none', () => withMapping({ target: 'more' }, { object_type: 'nonsense' }),
      'entities.0.schemas.crm.object_type'],
    ['a custom object of another portal', () => withMapping({ target: 'more' }, { object_type: 'p1_boats' }),
      'entities.0.schemas.crm.object_type'],
  ])('%s', async (_what, config, field) => {
    const lane = await start({ portal: {} });
    await lane.store(config());
    const errors = (await lane.preflight()).filter(({ severity }) => severity === 'error');
    expect(errors.map((one) => [one.code, one.field])).toContainEqual(['provisioning_failed', field]);
    expect((await lane.publish().expect(422)).body.detail.code).toBe('provisioning_failed');
  });

  test('a property name without a portal is a warning: a publish creates nothing then', async () => {
    const lane = await start();
    await lane.store(withMapping({ target: 'ShopId' }));
    const told = (await lane.preflight()).filter(({ code }) => code === 'provisioning_failed');
    expect(told.map(({ severity, field }) => [severity, field])).toEqual([['warning', `${mapping}.target`]]);
    await lane.publish().expect(200);
  });

  test('the name of a custom object', async () => {
    const lane = await start({ portal: {} });
    await lane.store(withMapping({ target: 'more' }, { object_type: `p${lane.portalId}_9boats` }));
    expect((await lane.preflight()).map(({ code }) => code)).toContain('provisioning_failed');
    expect((await lane.publish().expect(422)).body.detail.code).toBe('provisioning_failed');
  });

  test.each<[string, () => ConfigDocument]>([
    ['crm.schemas.contacts.write', () => contactConfig],
    ['crm.schemas.deals.write', () => ({
      ...contactConfig, entities: [], flows: [],
      pipelines: [{ object_type: 'deals', label: 'Cars', stages: [{ label: 'Sold' }] }],
    })],
  ])('the scope %s, which the credential lacks', async (scope, config) => {
    const lane = await start({ portal: { scopes: usualScopes().filter((one) => one !== scope) } });
    await lane.store(config());
    const missing = (await lane.preflight()).filter(({ code }) => code === 'object_type_missing_scopes');
    expect(missing.map(({ reauthorize_scopes: scopes }) => scopes)).toEqual([[scope]]);
    expect((await lane.publish().expect(422)).body.detail.code).toBe('provisioning_failed');
  });

  test('names that the portal has are taken as they are', async () => {
    const lane = await start({ portal: {} });
    await lane.store(withMapping({ target: 'firstname' }));
    expect((await lane.preflight()).filter(({ severity }) => severity === 'error')).toEqual([]);
    await lane.publish().expect(200);
  });
});
