import { allActionNames, findAction } from '@sluice/actions';
import { shopConfig } from '../testing/shop-config';
import { type BrokenConfig, expectProblems, save } from './test-support/broken-config';

describe('checkConfig', () => {
  const broken: BrokenConfig[] = [
    {
      title: 'an unknown action, listing the set',
      change: (config) => void (config.flows[0]!.steps[0]!.action = 'upsart'),
      expected: [
        {
          type: 'unknown_action',
          loc: ['body', 'flows', 0, 'steps', 0, 'action'],
          msg: expect.stringContaining('upsert_many') as unknown as string,
        },
      ],
    },
    {
      title: 'a bulk action in version 3.0',
      change: (config) => {
        config.version = '3.0';
        const many = { id: 'many', action: 'upsert_many', target: 'crm', entity: 'contact', items: '$.payload.all' };
        config.flows[0]!.steps.push(many);
      },
      expected: [
        { type: 'action_requires_version', loc: ['body', 'flows', 0, 'steps', 2, 'action'] },
      ],
    },
    {
      title: 'upsert without entity',
      change: (config) => void Reflect.deleteProperty(config.flows[0]!.steps[0]!, 'entity'),
      expected: [{ type: 'missing', loc: ['body', 'flows', 0, 'steps', 0, 'entity'], msg: 'step requires target and entity' }],
    },
    {
      title: 'associate without its ids',
      change: (config) => void Reflect.deleteProperty(config.flows[0]!.steps[1]!, 'to_external_id'),
      expected: [
        {
          type: 'missing',
          loc: ['body', 'flows', 0, 'steps', 1, 'to_external_id'],
          msg: 'step requires from_entity, to_entity, from_external_id and to_external_id',
        },
      ],
    },
    {
      title: 'replace without items, and a category without its type id',
      change: (config) => Object.assign(config.flows[0]!.steps[1]!, { replace: true, association_category: 'USER_DEFINED' }),
      expected: [
        { type: 'missing', loc: ['body', 'flows', 0, 'steps', 1, 'association_type_id'] },
        { type: 'associate_replace_without_items', loc: ['body', 'flows', 0, 'steps', 1, 'replace'] },
      ],
    },
    {
      title: 'a text where a reference is needed',
      change: (config) => void (config.flows[0]!.steps[1]!.from_external_id = 'payload.email'),
      expected: [{ type: 'reference_invalid', loc: ['body', 'flows', 0, 'steps', 1, 'from_external_id'] }],
    },
    {
      title: 'fields outside the mappings, and without the identity',
      change: (config) => void (config.flows[0]!.steps[0]!.fields = ['firstname', 'nope']),
      expected: [
        { type: 'fields_allowlist', loc: ['body', 'flows', 0, 'steps', 0, 'fields', 1] },
        { type: 'fields_allowlist', loc: ['body', 'flows', 0, 'steps', 0, 'fields'] },
      ],
    },
    {
      title: 'associations entries',
      change: (config) => void (config.flows[0]!.steps[0]!.associations = [{ to_entity: 'company' }]),
      expected: [{ type: 'missing', loc: ['body', 'flows', 0, 'steps', 0, 'associations', 0, 'to_external_id'] }],
    },
    {
      title: 'an association with a category and without its type id',
      change: (config) =>
        void (config.flows[0]!.steps[0]!.associations = [
          { to_entity: 'contact', to_external_id: '$.payload.a', association_category: 'USER_DEFINED' },
        ]),
      expected: [
        {
          type: 'association_category_without_type_id',
          loc: ['body', 'flows', 0, 'steps', 0, 'associations', 0, 'association_category'],
        },
      ],
    },
    {
      title: 'narrow_outbound_projection without freshness_check',
      change: (config) => Object.assign(config.flows[0]!, { narrow_outbound_projection: true, freshness_check: false }),
      expected: [{ type: 'value_error', loc: ['body', 'flows', 0, 'narrow_outbound_projection'] }],
    },
    {
      title: 'a when with two keys',
      change: (config) => Object.assign(config.flows[0]!.steps[0]!, { when: { exists: '$.payload.a', found: 'b' } }),
      expected: [{ type: 'when_invalid', loc: ['body', 'flows', 0, 'steps', 0, 'when'] }],
    },
  ];

  it.each(broken)('refuses $title', expectProblems);

  it('keeps unknown keys of steps and flows', () => {
    const config = shopConfig();
    Object.assign(config.flows[0]!, { note: 'x' });
    Object.assign(config.flows[0]!.steps[0]!, { note: 'x' });
    expect(save(config)).toEqual([]);
  });

  it('can run every action', () => {
    expect(allActionNames.filter((name) => !findAction(name))).toEqual([]);
  });
});
