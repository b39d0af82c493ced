import type { ConfigDocument, ConfigProblemType, IngressRoute, SourceType, Step } from '@sluice/contracts';
import { configLimits } from '../document/config-limits';
import { shopConfig } from './shop-config';

type Change = (config: ConfigDocument) => void;

const source = (type: SourceType, config: Record<string, unknown>): Change => ({ sources }) =>
  void sources.push({ name: 'more', type, config });
const step = (more: Partial<Step>): Change => ({ flows }) => void flows[0]!.steps.push({ id: 'more', action: 'skip', ...more });
const mapping = (more: object): Change => ({ entities }) =>
  void entities[0]!.schemas.crm!.field_mappings!.push({ source: '$.payload.more', target: 'more', ...more });
const routes = (...list: Partial<IngressRoute>[]): Change => (config) =>
  void (config.ingress_profile = { auth_header: 'X-Key', routes: list.map((route) => ({ path: 'a', event: 'a', ...route })) });
const erp = 'https://erp.example.com';

/** For each kind of problem a change of a good config for which it is refused. The compiler asks for one of each. */
const changes: Readonly<Record<ConfigProblemType, Change>> = {
  config_too_large: (config) => void (config.settings = { text: 'x'.repeat(configLimits.bytes) }),
  missing: step({ action: 'upsert', target: 'crm' }),
  type_error: ({ flows }) => void Object.assign(flows[0]!, { enabled: 'yes' }),
  enum: ({ entities }) => void Object.assign(entities[0]!, { on_target_deleted: 'maybe' }),
  value_error: ({ flows }) => void Object.assign(flows[0]!, { narrow_outbound_projection: true, freshness_check: false }),
  reserved_name: ({ entities }) => void entities.push({ ...entities[0]!, name: '..' }),
  extra_forbidden: ({ entities }) => void Object.assign(entities[0]!, { colour: 'red' }),
  unknown_top_level_key: (config) => void Object.assign(config, { colour: 'red' }),
  duplicate_name: ({ entities }) => void entities.push({ ...entities[0]! }),
  duplicate_step_id: step({ id: 'contact' }),
  duplicate_flow_event: ({ flows }) => void flows.push({ ...flows[0]!, name: 'more' }),
  duplicate_target: mapping({ target: 'email' }),
  reference_invalid: mapping({ source: '$.nothing.here' }),
  script_invalid: mapping({ source: '$.payload.items[?(@.price>1)]' }),
  transform_invalid: mapping({ transform: ['lower'] }),
  when_invalid: step({ when: { exists: '$.payload.a', found: 'contact' } as never }),
  enumeration_without_options: mapping({ crm_type: 'enumeration' }),
  unknown_action: step({ action: 'upsart' }),
  action_requires_version: (config) => {
    config.version = '3.0';
    step({ action: 'create_many', target: 'crm', entity: 'contact', items: '$.payload.all' })(config);
  },
  fields_allowlist: step({ action: 'upsert', target: 'crm', entity: 'contact', fields: ['email', 'nope'] }),
  association_category_without_type_id: step({
    action: 'create', target: 'crm', entity: 'contact',
    associations: [{ to_entity: 'company', to_external_id: '$.payload.a', association_category: 'USER_DEFINED' }],
  }),
  associate_replace_without_items: ({ flows }) => void Object.assign(flows[0]!.steps[1]!, { replace: true }),
  secret_not_declarable: source('rest', { base_url: erp, default_headers: { Authorization: 'Bearer x' } }),
  private_target: source('rest', { base_url: 'http://10.0.0.1' }),
  location_invalid: source('file', { location: '/etc' }),
  cron_invalid: source('scheduled', { schedule: 'often' }),
  timezone_invalid: source('scheduled', { schedule: '@daily', timezone: 'Mars/Base' }),
  url_invalid: source('rest', { base_url: '/api' }),
  encoding_invalid: source('file', { encoding: 'ebcdic-x' }),
  header_invalid: source('rest', { base_url: erp, default_headers: { 'a b': 'c' } }),
  duplicate_path: routes({}, { event: 'b' }),
  reserved_path: routes({ path: 'api/check/1' }),
  unproducible_event: (config) => {
    routes({})(config);
    config.ingress_profile!.resend_actions = { again: 'b' };
  },
  event_api_not_unique: (config) => {
    routes({})(config);
    config.sources.push({ name: 'more', type: 'event_api' });
  },
  undeclared_source: ({ flows }) => void (flows[0]!.source = 'nowhere'),
  undeclared_entity: step({ action: 'upsert', target: 'crm', entity: 'nobody' }),
  undeclared_schema: step({ action: 'transform', entity: 'contact', from_schema: 'shop', to_schema: 'nowhere' }),
  unknown_plugin: step({ action: 'plugin', logical_name: 'score' }),
  plugin_unresolvable: step({ action: 'plugin', logical_name: 'unreleased' }),
  missing_credential: source('rest', { base_url: erp, credential_name: 'gone' }),
  credential_host_not_allowed: source('rest', { base_url: erp, credential_name: 'elsewhere' }),
  wrong_credential_type: source('rest', { base_url: erp, secret_headers: { 'X-Key': 'tokens' } }),
};

/**
 * A config for each kind of problem. Refused in an installation that refuses private targets and watches no folders, by an
 * organization with the credentials `tokens` and `elsewhere`, bearer_tokens, the second one for `other.example` only, and with
 * the plugin `unreleased` alone, which was never promoted.
 */
export function refusedConfigs(): { type: ConfigProblemType; config: ConfigDocument }[] {
  return Object.entries(changes).map(([type, change]) => {
    const config = shopConfig();
    change(config);
    return { type: type as ConfigProblemType, config };
  });
}
