import { allActions } from '@sluice/actions';
import type { ConfigDocument } from '@sluice/contracts';
import { shopConfig } from '../testing/shop-config';
import { checkConfig } from './check-config';
import { type BrokenConfig, expectProblems, save } from './test-support/broken-config';

describe('checkConfig', () => {
  const broken: BrokenConfig[] = [
    {
      title: 'unknown top-level keys, all named',
      change: (config) => Object.assign(config, { config: {}, nope: 1 }),
      expected: [
        { type: 'unknown_top_level_key', loc: ['body', 'config'], msg: 'unknown top-level config key(s): config, nope' },
        { type: 'unknown_top_level_key', loc: ['body', 'nope'] },
      ],
    },
    {
      title: 'a missing list',
      change: (config) => void Reflect.deleteProperty(config, 'sources'),
      expected: [{ type: 'missing', loc: ['body', 'sources'], msg: `'sources' is required` }],
    },
    {
      title: 'known keys of the settings; others are kept',
      change: (config) => Object.assign(config, {
        settings: {
          note: { any: 1 }, ordering: 'none', crm_provisioning: { property_group: '', group: 'x' },
          plugin_overrides: { price: { version: '$LATEST' }, tax: { function_arn: 'arn' } },
        },
      }),
      expected: [
        { type: 'enum', loc: ['body', 'settings', 'ordering'] },
        { type: 'missing', loc: ['body', 'settings', 'plugin_overrides', 'tax', 'version'] },
        { type: 'value_error', loc: ['body', 'settings', 'crm_provisioning', 'property_group'] },
        { type: 'extra_forbidden', loc: ['body', 'settings', 'crm_provisioning', 'group'] },
      ],
    },
    {
      title: 'another version',
      change: (config) => Object.assign(config, { version: '2.0' }),
      expected: [{ type: 'enum', loc: ['body', 'version'] }],
    },
    {
      title: 'script and filter expressions',
      change: (config) => {
        config.entities[0]!.schemas.crm!.field_mappings![1]!.source = '$.payload.items[?(@.price>1)]';
        config.flows[0]!.steps[1]!.from_external_id = '$.payload[(@.length-1)]';
      },
      expected: [
        { type: 'script_invalid', loc: ['body', 'entities', 0, 'schemas', 'crm', 'field_mappings', 1, 'source'] },
        { type: 'script_invalid', loc: ['body', 'flows', 0, 'steps', 1, 'from_external_id'] },
      ],
    },
    {
      title: 'two flows of one pair, naming both',
      change: (config) => config.flows.push({ name: 'again', source: 'event_api', event_type: 'customer_synced', steps: [] }),
      expected: [
        {
          type: 'duplicate_flow_event',
          loc: ['body', 'flows', 1, 'event_type'],
          msg: expect.stringMatching(/'customers' and 'again'/) as unknown as string,
        },
      ],
    },
    {
      title: 'repeated names and step ids',
      change: (config) => {
        config.entities.push(structuredClone(config.entities[0]!));
        config.flows[0]!.steps[1]!.id = config.flows[0]!.steps[0]!.id;
      },
      expected: [
        { type: 'duplicate_name', loc: ['body', 'entities', 2, 'name'] },
        { type: 'duplicate_step_id', loc: ['body', 'flows', 0, 'steps', 1, 'id'] },
      ],
    },
    {
      title: 'stages of one name in a pipeline, not those of two',
      change: (config) => {
        const stages = [{ label: 'New' }, { label: 'Won' }, { label: 'NEW' }];
        config.pipelines = [
          { object_type: 'deals', label: 'Cars', stages }, { object_type: 'deals', label: 'Boats', stages: [{ label: 'New' }] },
        ];
      },
      expected: [{ type: 'duplicate_name', loc: ['body', 'pipelines', 0, 'stages', 2, 'label'] }],
    },
    {
      title: 'unknown keys where they are not kept, and problems of several parts at once',
      change: (config) => {
        Object.assign(config.entities[1]!, { colour: 'red' });
        Object.assign(config.flows[0]!, { enabled: 'yes' });
      },
      expected: [
        { type: 'extra_forbidden', loc: ['body', 'entities', 1, 'colour'] },
        { type: 'type_error', loc: ['body', 'flows', 0, 'enabled'] },
      ],
    },
  ];

  it.each(broken)('refuses $title', expectProblems);

  it('finds nothing in a config that may be published', () => {
    expect(checkConfig(shopConfig(), { moment: 'publish', lookups: { credentialTypes: new Map() } })).toEqual([]);
  });

  it('tells every problem at once, also of a step, an entity and a flow in which the structure is wrong too', () => {
    const config = shopConfig();
    config.entities[0]!.schemas.crm!.field_mappings!.push(
      { source: 'payload.a', target: 'a' },
      { target: 'b' } as never,
      { source: '$.payload.c', target: 'c', transform: ['nope'] },
    );
    Object.assign(config.entities[0]!, { payload_root: 'customer', on_target_deleted: 'maybe' });
    Object.assign(config.entities[1]!, { name: config.entities[0]!.name, colour: 'red' });
    Object.assign(config.flows[0]!, { enabled: 'yes' });
    config.flows.push({ ...config.flows[0]!, steps: 5 as never });
    Object.assign(config.flows[0]!.steps[1]!, { chunk_size: 0, replace: true, when: {}, from_external_id: 'a' });
    config.flows[0]!.steps.push(
      { id: config.flows[0]!.steps[0]!.id, action: 'upsert' },
      { id: '', action: 'foo' },
      null as never,
    );
    const mappings = ['entities', 0, 'schemas', 'crm', 'field_mappings'];
    const count = config.entities[0]!.schemas.crm!.field_mappings!.length;
    const steps = (index: number, ...rest: string[]) => ['flows', 0, 'steps', index, ...rest].join('.');
    expect(save(config).map(({ type, loc }) => `${type} ${loc.slice(1).join('.')}`).sort()).toEqual(
      [
        `reference_invalid ${mappings.join('.')}.${count - 3}.source`,
        `missing ${mappings.join('.')}.${count - 2}.source`,
        `transform_invalid ${mappings.join('.')}.${count - 1}.transform.0`,
        'reference_invalid entities.0.payload_root',
        'enum entities.0.on_target_deleted',
        'extra_forbidden entities.1.colour',
        'duplicate_name entities.1.name',
        'type_error flows.0.enabled',
        'type_error flows.1.enabled',
        'type_error flows.1.steps',
        'duplicate_name flows.1.name',
        'duplicate_flow_event flows.1.event_type',
        `value_error ${steps(1, 'chunk_size')}`,
        `associate_replace_without_items ${steps(1, 'replace')}`,
        `when_invalid ${steps(1, 'when')}`,
        `reference_invalid ${steps(1, 'from_external_id')}`,
        `missing ${steps(2, 'target')}`,
        `missing ${steps(2, 'entity')}`,
        `duplicate_step_id ${steps(2, 'id')}`,
        `value_error ${steps(3, 'id')}`,
        `unknown_action ${steps(3, 'action')}`,
        `type_error ${steps(4)}`,
      ].sort(),
    );
  });

  it('says what is wrong in plain words, with what was given', () => {
    const config = shopConfig();
    Object.assign(config, { nope: { a: 1 } });
    Object.assign(config.entities[0]!, { name: '', colour: 'red' });
    Object.assign(config.flows[0]!.steps[0]!, { fields: [] });
    config.flows[0]!.steps[1]!.id = '2nd';
    const told = save(config).map(({ loc, msg, input }) => [loc.slice(1).join('.'), msg, input]);
    expect(told).toEqual(
      expect.arrayContaining([
        ['nope', 'unknown top-level config key(s): nope', { a: 1 }],
        ['entities.0.name', `'name' must not be empty`, ''],
        ['entities.0.colour', `'colour' is not a known field here`, 'red'],
        ['flows.0.steps.0.fields', `'fields' must not be empty`, []],
        [
          'flows.0.steps.1.id',
          `'id' must start with a letter or underscore and hold only letters, digits, underscores and hyphens`,
          '2nd',
        ],
      ]),
    );
    expect(told).toHaveLength(5);
  });

  const junk = [
    null,
    0,
    -1,
    1.5,
    '',
    'x',
    '$.',
    '{$.payload.a',
    true,
    [],
    [null],
    [{}],
    [[1]],
    {},
    { a: null },
    { to_entity: 5 },
    { $: [] },
  ];
  const steps = allActions().map(
    ({ name, configSchema: { properties } }) => [name, [...Object.keys(properties), 'when']] as const,
  );
  it.each(steps)('answers problems for %s steps of any shape, never throws', (action, fields) => {
    for (const field of fields) {
      for (const value of junk) {
        const config = shopConfig();
        config.flows[0]!.steps = [{ id: 'a', action, [field]: value }];
        expect(Array.isArray(save(config))).toBe(true);
      }
    }
  });

  it.each<[string, string[], (config: ConfigDocument) => object]>([
    ['the document', ['version', 'entities', 'flows', 'sources', 'settings', 'conflicts', 'pipelines'], (config) => config],
    ['an entity', ['name', 'schemas', 'payload_root'], (config) => config.entities[0]!],
    ['the schemas', ['crm', 'other'], (config) => config.entities[0]!.schemas],
    [
      'a schema',
      ['object_type', 'identity', 'identity_source_path', 'field_mappings'],
      (config) => config.entities[0]!.schemas.crm!,
    ],
    [
      'a mapping',
      ['source', 'target', 'target_template', 'transform', 'crm_type', 'crm_options'],
      (config) => config.entities[0]!.schemas.crm!.field_mappings![0]!,
    ],
    ['a flow', ['name', 'source', 'event_type', 'steps', 'enabled'], (config) => config.flows[0]!],
    ['the steps', ['0'], (config) => config.flows[0]!.steps],
    ['a source', ['name', 'type', 'config'], (config) => config.sources[0]!],
  ])('answers problems for %s of any shape, never throws', (_what, names, partOf) => {
    for (const name of names) {
      for (const value of junk) {
        const config = shopConfig();
        Object.assign(partOf(config), { [name]: value });
        expect(Array.isArray(checkConfig(config, { moment: 'publish', lookups: { credentialTypes: new Map() } }))).toBe(true);
      }
    }
  });

  it.each([null, 1, 'x', [], {}, { version: '3.1', entities: {}, flows: [null], sources: [[]] }])(
    'answers problems for %j, never throws',
    (config) => {
      expect(save(config).length).toBeGreaterThan(0);
    },
  );

  it('needs no declaration of the event API', () => {
    expect(checkConfig({ ...shopConfig(), sources: [] }, { moment: 'publish' })).toEqual([]);
  });

  it('refuses a document over 1 MiB', () => {
    expect(save({ ...shopConfig(), settings: { text: 'x'.repeat(1_048_576) } })).toEqual([
      expect.objectContaining({ type: 'config_too_large', loc: ['body'] }),
    ]);
  });
});
