import { shopConfig } from '../testing/shop-config';
import { type BrokenConfig, expectProblems, save } from './test-support/broken-config';

describe('checkConfig', () => {
  const broken: BrokenConfig[] = [
    {
      title: 'transforms that do not exist or have wrong arguments',
      change: (config) =>
        void (config.entities[0]!.schemas.crm!.field_mappings![1]!.transform = [
          'lower',
          { name: 'split', args: {} },
          { name: 'match', args: { pattern: '(a)\\1' } },
        ]),
      expected: [0, 1, 2].map((index) => ({
        type: 'transform_invalid',
        loc: ['body', 'entities', 0, 'schemas', 'crm', 'field_mappings', 1, 'transform', index],
      })),
    },
    {
      title: 'targets that start with $ and name no place in the canonical form',
      change: (config) => {
        const targets = ['$.canonical', '$.payload.a', '$.canonical.a[0]', '$.canonical..a', '$.canonical.*', '$amount'];
        const ok = { source: '$.payload.a', target: '$.canonical["a b"].c' };
        const mappings = targets.map((target) => ({ source: '$.payload.a', target }));
        config.entities[0]!.schemas.canonical = { field_mappings: [ok, ...mappings] };
      },
      expected: [1, 2, 3, 4, 5, 6].map((index) => ({
        type: 'reference_invalid',
        loc: ['body', 'entities', 0, 'schemas', 'canonical', 'field_mappings', index, 'target'],
      })),
    },
    {
      title: 'a payload_root and an identity_source_path that are no references',
      change: (config) => {
        config.entities[0]!.payload_root = 'customer';
        config.entities[0]!.schemas.crm!.identity_source_path = '$.payload.ids[?(@.main)]';
      },
      expected: [
        { type: 'reference_invalid', loc: ['body', 'entities', 0, 'payload_root'] },
        { type: 'script_invalid', loc: ['body', 'entities', 0, 'schemas', 'crm', 'identity_source_path'] },
      ],
    },
    {
      title: 'a schema crm without object_type, which no other schema needs',
      change: (config) => {
        Reflect.deleteProperty(config.entities[0]!.schemas.crm!, 'object_type');
        config.entities[0]!.schemas.erp = { field_mappings: [{ source: '$.payload.a', target: 'a' }] };
      },
      expected: [{ type: 'missing', loc: ['body', 'entities', 0, 'schemas', 'crm', 'object_type'] }],
    },
    {
      title: 'a mapping without a target, with two of them, and two mappings of one target',
      change: (config) => {
        const source = '$.payload.a';
        const two = { source, target: 'a', target_template: 'a_{$.payload.b}' };
        const a = { source, target: 'a' };
        config.entities[1]!.schemas.more = { field_mappings: [{ source }, two, a, { ...a }] };
      },
      expected: [
        { type: 'missing', loc: ['body', 'entities', 1, 'schemas', 'more', 'field_mappings', 0, 'target'] },
        { type: 'value_error', loc: ['body', 'entities', 1, 'schemas', 'more', 'field_mappings', 1, 'target_template'] },
        { type: 'duplicate_target', loc: ['body', 'entities', 1, 'schemas', 'more', 'field_mappings', 2, 'target'] },
        { type: 'duplicate_target', loc: ['body', 'entities', 1, 'schemas', 'more', 'field_mappings', 3, 'target'] },
      ],
    },
    {
      title: 'an enumeration without options',
      change: (config) => void (config.entities[0]!.schemas.crm!.field_mappings![1]!.crm_type = 'enumeration'),
      expected: [
        {
          type: 'enumeration_without_options',
          loc: ['body', 'entities', 0, 'schemas', 'crm', 'field_mappings', 1, 'crm_options'],
        },
      ],
    },
  ];

  it.each(broken)('refuses $title', expectProblems);

  it('takes any strategy of an identity for a label, and any event_type_from for a hint', () => {
    const config = shopConfig();
    Object.assign(config.entities[0]!.schemas.crm!.identity!, { strategy: 'whatever' });
    Object.assign(config.flows[0]!, { event_type_from: '$.not a path' });
    expect(save(config)).toEqual([]);
  });
});
