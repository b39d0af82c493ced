import type { ConfigDocument, Flow, Step } from '@sluice/contracts';
import { checkConfig } from '../checks/check-config';
import { shopConfig } from '../testing/shop-config';
import { documentFindings } from './document-findings';

const found = (config: ConfigDocument): string[] =>
  documentFindings(config).map(({ severity, code, field }) => `${severity} ${code} ${field}`);

const withSteps = (...steps: Step[]): ConfigDocument => {
  const config = shopConfig();
  config.flows[0]!.steps = steps;
  return config;
};

/** A config of the journal with one flow. */
function journalConfig(flow: Partial<Flow>, enrich?: Record<string, string[]>): ConfigDocument {
  const config = shopConfig();
  config.sources.push({ name: 'journal', type: 'crm', config: enrich ? { enrich_properties: enrich } : {} });
  config.sources.push({ name: 'erp', type: 'rest', config: { base_url: 'https://erp.example.com' } });
  config.flows = [{ name: 'out', source: 'journal', event_type: '0-1.update', steps: [], ...flow }];
  return config;
}

/** Properties that are read and not named. */
const gapsOf = (config: ConfigDocument): unknown[] =>
  documentFindings(config)
    .filter(({ code }) => code === 'enrich_properties_gap')
    .map(({ message }) => /'(\w+)', which/.exec(message)?.[1]);

const restDelete: Step = { id: 'gone', action: 'delete', target: 'erp', entity: 'contact', url: '/c/{external_id}' };

describe('findings of preflight about the document', () => {
  it('are none for a good config, and have every key', () => {
    expect(documentFindings(shopConfig())).toEqual([]);
    expect(documentFindings(withSteps({ id: 'a', action: 'skip', remark: 'x' }))).toEqual([
      {
        severity: 'warning',
        code: 'unknown_step_key',
        message: "step 'a' has the key 'remark', which is kept and ignored",
        field: 'flows.0.steps.0.remark',
        suggestion: 'Remove it, or correct its spelling.',
        entity: null,
        event_flow: 'customers',
        reauthorize_scopes: null,
      },
    ]);
  });

  it('distinguish a field of another action from an unknown one', () => {
    const config = withSteps({ id: 'a', action: 'create', target: 'crm', entity: 'contact', fields: ['email'], feilds: [] });
    expect(found(config)).toEqual([
      'warning typed_step_field_wrong_action flows.0.steps.0.fields',
      'warning unknown_step_key flows.0.steps.0.feilds',
    ]);
    expect(documentFindings(config)[0]!.suggestion).toBe("'fields' is a field of post, submit_form, upsert, upsert_many.");
  });

  it('warn of a header whose value looks like a key, without repeating it', () => {
    const key = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
    const config = withSteps(
      { id: 'a', action: 'notify', url: 'https://chat.example.com', headers: { 'X-Who': key, 'X-Kind': 'order', 'X-Ref': '$.payload.a' } },
    );
    const erp = { base_url: 'https://erp.example.com', default_headers: { 'X-Who': key, Accept: 'application/json' } };
    config.sources.push({ name: 'erp', type: 'rest', config: erp });
    expect(found(config)).toEqual([
      'warning header_looks_secret sources.1.config.default_headers.X-Who',
      'warning header_looks_secret flows.0.steps.0.headers.X-Who',
    ]);
    expect(JSON.stringify(documentFindings(config))).not.toContain(key);
  });

  it('names the unknown keys of a flow', () => {
    const config = shopConfig();
    Object.assign(config.flows[0]!, { note: 'x', retries: 3 });
    expect(found(config)).toEqual(['warning unknown_flow_keys flows.0']);
    expect(documentFindings(config)[0]!.message).toContain('note, retries');
  });

  it.each(['*', '.*', '*.created', 'order.*.paid', 'order*', 'order..*'])('the wildcard %s never matches', (type) => {
    const config = shopConfig();
    config.flows[0]!.event_type = type;
    expect(found(config)).toEqual(['warning unsupported_event_type_wildcard flows.0.event_type']);
  });

  it('wildcards of one source that cover each other', () => {
    const config = shopConfig();
    const flow = (name: string, type: string, source = 'event_api'): Flow => ({ name, source, event_type: type, steps: [] });
    config.sources.push({ name: 'shop', type: 'webhook', config: { event_type_header: 'X-Kind' } });
    const others = [flow('c', 'orders.*'), flow('d', 'order.paid.late.*', 'shop')];
    config.flows = [flow('a', 'order.*'), flow('b', 'order.paid.*'), ...others];
    expect(found(config)).toEqual(['warning overlapping_event_type_wildcards flows.1.event_type']);
  });

  it('replace without a list', () => {
    const [first, link] = shopConfig().flows[0]!.steps;
    const config = withSteps(first!, { ...link!, replace: true });
    expect(found(config)).toEqual(['error associate_replace_without_items flows.0.steps.1.replace']);
  });

  it.each<[string, string | undefined, boolean]>([
    ['0-1.delete', undefined, true],
    ['0-1.delete', '$.payload.object.id', true],
    ['0-1.delete', '$.payload.event.objectId', false],
    ['0-1.update', undefined, false],
    ['0-1.update', '$.payload.contact.id', true],
  ])('a REST delete on %s with identity_source_path %s: %s', (eventType, path, expected) => {
    const config = journalConfig({ event_type: eventType, steps: [restDelete] });
    config.entities[0]!.schemas.crm!.identity_source_path = path;
    expect(checkConfig(config, { moment: 'save' })).toEqual([]);
    expect(found(config)).toEqual(
      expected ? ['warning delete_rest_identity_source_path_unresolvable flows.0.steps.0.entity'] : [],
    );
  });

  it('a REST delete on events of the event API needs an explicit path', () => {
    const config = journalConfig({ source: 'event_api', steps: [restDelete] });
    expect(found(config)).toEqual(['warning delete_rest_identity_source_path_unresolvable flows.0.steps.0.entity']);
    config.entities[0]!.schemas.crm!.identity_source_path = '$.payload.crm_id';
    expect(found(config)).toEqual([]);
  });

  it('properties that the journal does not read', () => {
    const steps: Step[] = [
      { id: 'a', action: 'post', target: 'erp', url: '/c', body: { mail: '$.payload.object.properties.email' } },
      { id: 'b', action: 'notify', target: 'erp', url: '/c', message: 'Now {$.payload.object.properties.firstname}' },
    ];
    const gaps = (enrich?: Record<string, string[]>): unknown[] => gapsOf(journalConfig({ steps }, enrich));
    expect(gaps()).toEqual(['email', 'firstname']);
    expect(gaps({ contacts: ['email'] })).toEqual(['firstname']);
    expect(gaps({ '0-1': ['email', 'firstname'] })).toEqual([]);
    expect(gaps({ companies: ['email', 'firstname'] })).toHaveLength(2);
  });

  it('and those that an entity reads below its payload_root', () => {
    const steps: Step[] = [{ id: 'a', action: 'post', target: 'erp', url: '/c', entity: 'contact' }];
    const config = journalConfig({ steps }, { contacts: ['email'] });
    config.entities[0]!.payload_root = '$.payload.object.properties';
    expect(gapsOf(config)).toEqual(['first_name', 'price', 'currency']);
  });
});
