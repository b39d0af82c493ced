import { allActionNames } from '@sluice/actions';
import Ajv2020 from 'ajv/dist/2020';
import fc from 'fast-check';
import { canonicalText, configEquals } from '../document/canonical';
import { checkConfig } from '../checks/check-config';
import { configSchema } from '../document/config-schema';
import { directions } from './directions';
import { emptyConfig } from '../document/empty-config';
import { flowIndex } from './flow-index';
import { requiredProvisioning } from './required-provisioning';
import { shopConfig } from '../testing/shop-config';

describe('values derived from a config', () => {
  it('an empty one may be saved and published', () => {
    expect(checkConfig(emptyConfig(), { moment: 'publish', lookups: { credentialTypes: new Map() } })).toEqual([]);
    expect(directions(emptyConfig())).toEqual({ direction: null, flow_directions: {} });
  });

  it('the flow index', () => {
    const config = shopConfig();
    config.flows.push({ name: 'back', source: 'journal', event_type: '0-1.*', enabled: false, steps: [] });
    config.sources.push({ name: 'journal', type: 'crm' });
    expect(flowIndex(config)).toEqual([
      { name: 'customers', source: 'event_api', source_type: 'event_api', event_type: 'customer_synced', enabled: true },
      { name: 'back', source: 'journal', source_type: 'crm', event_type: '0-1.*', enabled: false },
    ]);
    expect(directions(config)).toEqual({
      direction: 'bidirectional',
      flow_directions: { customers: 'inbound', back: 'outbound' },
    });
    config.flows[0]!.source = 'nowhere';
    expect(directions(config)).toEqual({ direction: 'outbound', flow_directions: { customers: null, back: 'outbound' } });
  });

  it('the required provisioning: targets, template names, the identity, nothing reserved', () => {
    const config = shopConfig();
    config.entities[1]!.schemas.crm!.identity!.property = 'erp_company_no';
    const { entities } = requiredProvisioning(config);
    expect(entities.map(({ entity, object_type, custom_object }) => ({ entity, object_type, custom_object }))).toEqual([
      { entity: 'contact', object_type: 'contacts', custom_object: false },
      { entity: 'company', object_type: 'companies', custom_object: false },
    ]);
    expect(entities[0]!.properties.map(({ name, type, identity }) => `${name} ${type} ${identity}`)).toEqual([
      'email string true',
      'firstname string false',
      'price_eur number false',
      'price_usd number false',
    ]);
    expect(entities[1]!.properties).toEqual([
      { name: 'domain', type: 'string', field_type: 'text', label: 'Domain', options: [], identity: false },
      { name: 'erp_company_no', type: 'string', field_type: 'text', label: 'Erp company no', options: [], identity: true },
    ]);
  });

  it('its equality does not look at the order of keys', () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      return value !== null && typeof value === 'object'
        ? Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([key, inner]) => [key, reversed(inner)]),
          )
        : value;
    };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (a, b) => {
        expect(configEquals(a, reversed(a))).toBe(true);
        expect(canonicalText(reversed(a))).toBe(canonicalText(a));
        expect(configEquals(a, b)).toBe(canonicalText(a) === canonicalText(b));
      }),
    );
  });
});

describe('the JSON Schema', () => {
  it('is a valid 2020-12 schema with the definitions an editor needs', () => {
    expect(new Ajv2020().validateSchema(configSchema)).toBe(true);
    expect(Object.keys(configSchema.$defs as object)).toEqual(
      expect.arrayContaining(['entity', 'flow', 'step', 'source', 'when', 'transform', 'step_upsert', 'source_webhook']),
    );
    expect(JSON.stringify(configSchema)).toContain(JSON.stringify(allActionNames));
    expect(Object.keys(configSchema.$defs as object)).toEqual(
      expect.arrayContaining(allActionNames.map((name) => `step_${name}`)),
    );
    expect(JSON.stringify(configSchema)).not.toMatch(/x-resolve|x-holds/);
  });

  it('also distinguishes valid and invalid conditions and transforms', () => {
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(configSchema);
    const config = shopConfig();
    config.flows[0]!.steps[0]!.when = { all: [{ not: { in: { path: '$.payload.a', values: [1] } } }] };
    expect(validate(config)).toBe(true);
    Object.assign(config.flows[0]!.steps[0]!, { when: { exists: '$.payload.a', found: 'b' } });
    expect(validate(config)).toBe(false);
    const other = shopConfig();
    other.entities[0]!.schemas.crm!.field_mappings![0]!.transform = ['lower'];
    expect(validate(other)).toBe(false);
  });
});
