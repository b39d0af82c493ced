import { allActionNames, allActions, findAction } from '@sluice/actions';
import type { ConfigDocument } from '@sluice/contracts';
import { checkConfig } from './check-config';
import { shopConfig } from '../testing/shop-config';

const save = (config: unknown) => checkConfig(config, { moment: 'save' });

describe('checkConfig', () => {
  it('finds nothing in a config that may be published', () => {
    expect(checkConfig(shopConfig(), { moment: 'publish', lookups: { credentialTypes: new Map() } })).toEqual([]);
  });

  const broken: {
    title: string;
    change: (config: ConfigDocument) => void;
    expected: { type: string; loc: (string | number)[]; msg?: string }[];
  }[] = [
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
      title: 'another version',
      change: (config) => Object.assign(config, { version: '2.0' }),
      expected: [{ type: 'enum', loc: ['body', 'version'] }],
    },
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
      title: 'narrow_outbound_projection without freshness_check',
      change: (config) => Object.assign(config.flows[0]!, { narrow_outbound_projection: true, freshness_check: false }),
      expected: [{ type: 'value_error', loc: ['body', 'flows', 0, 'narrow_outbound_projection'] }],
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
      title: 'a when with two keys',
      change: (config) => Object.assign(config.flows[0]!.steps[0]!, { when: { exists: '$.payload.a', found: 'b' } }),
      expected: [{ type: 'when_invalid', loc: ['body', 'flows', 0, 'steps', 0, 'when'] }],
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
      title: 'a secret in a source, without repeating it',
      change: (config) => config.sources.push({ name: 'hook', type: 'webhook', config: { secret: 'hunter2' } }),
      expected: [{ type: 'secret_not_declarable', loc: ['body', 'sources', 1, 'config', 'secret'] }],
    },
    {
      title: 'a secret beside the config of a source, without repeating it',
      change: (config) =>
        config.sources.push({ name: 'hook', type: 'webhook', secret: 'hunter2' } as ConfigDocument['sources'][0]),
      expected: [{ type: 'secret_not_declarable', loc: ['body', 'sources', 1, 'secret'] }],
    },
    {
      title: 'secrets in the config of a source under other names, inside of a field, and where the type is none',
      change: (config) => {
        const url = 'https://erp.example.com';
        const secrets = { password: 'hunter2', client_secret: 'hunter2' };
        config.sources.push({ name: 'erp', type: 'rest', config: { base_url: url, ...secrets } });
        config.sources.push({ name: 'list', type: 'poller', config: { url, pagination: { type: 'page', token: 'hunter2' } } });
        config.sources.push({ name: 'odd', type: 'odd', config: { signing_secret: 'hunter2' } } as never);
      },
      expected: [
        { type: 'enum', loc: ['body', 'sources', 3, 'type'] },
        { type: 'secret_not_declarable', loc: ['body', 'sources', 1, 'config', 'client_secret'] },
        { type: 'secret_not_declarable', loc: ['body', 'sources', 1, 'config', 'password'] },
        { type: 'secret_not_declarable', loc: ['body', 'sources', 2, 'config', 'pagination', 'token'] },
        { type: 'secret_not_declarable', loc: ['body', 'sources', 3, 'config', 'signing_secret'] },
      ],
    },
    {
      title: 'what a type of source requires, unknown fields, wrong types and its own checks, each at its field',
      change: (config) => {
        config.sources.push({ name: 'list', type: 'poller' });
        config.sources.push({ name: 'erp', type: 'rest', config: { color: 'red' } });
        config.sources.push({ name: 'ticks', type: 'scheduled', config: { schedule: 'often', timezone: 3 } });
        config.sources.push({ name: 'tocks', type: 'scheduled', config: { schedule: 'often' } });
        config.sources.push({ name: 'a\0b', type: 'webhook' });
      },
      expected: [
        { type: 'missing', loc: ['body', 'sources', 1, 'config'] },
        { type: 'missing', loc: ['body', 'sources', 2, 'config', 'base_url'] },
        { type: 'extra_forbidden', loc: ['body', 'sources', 2, 'config', 'color'] },
        { type: 'type_error', loc: ['body', 'sources', 3, 'config', 'timezone'] },
        { type: 'cron_invalid', loc: ['body', 'sources', 4, 'config', 'schedule'] },
        { type: 'value_error', loc: ['body', 'sources', 5, 'name'] },
      ],
    },
    {
      title: 'a signature scheme that does not exist',
      change: (config) => config.sources.push({ name: 'hook', type: 'webhook', config: { signature_scheme: 'paypal' } }),
      expected: [{ type: 'enum', loc: ['body', 'sources', 1, 'config', 'signature_scheme'] }],
    },
    {
      title: 'credentials in headers of a source, and no other headers',
      change: (config) => {
        const names = [
          'Authorization',
          'proxy-authorization',
          'X-API-Key',
          'apikey',
          'X-Auth-Token',
          'Cookie',
          'Accept',
          'X-Tenant',
        ];
        const default_headers = Object.fromEntries(names.map((name) => [name, 'hunter2']));
        const url = 'https://erp.example.com';
        config.sources.push({ name: 'erp', type: 'rest', config: { base_url: url, default_headers } });
        config.sources.push({ name: 'list', type: 'poller', config: { url, default_headers: null } });
      },
      expected: ['Authorization', 'proxy-authorization', 'X-API-Key', 'apikey', 'X-Auth-Token', 'Cookie'].map((name) => ({
        type: 'secret_not_declarable',
        loc: ['body', 'sources', 1, 'config', 'default_headers', name],
      })),
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

  it.each(broken)('refuses $title', ({ change, expected }) => {
    const config = shopConfig();
    change(config);
    const problems = save(config);
    expect(problems).toHaveLength(expected.length);
    expect(problems).toEqual(expect.arrayContaining(expected.map((one) => expect.objectContaining(one) as unknown)));
    expect(JSON.stringify(problems)).not.toContain('hunter2');
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

  it('takes any strategy of an identity for a label, and any event_type_from for a hint', () => {
    const config = shopConfig();
    Object.assign(config.entities[0]!.schemas.crm!.identity!, { strategy: 'whatever' });
    Object.assign(config.flows[0]!, { event_type_from: '$.not a path' });
    expect(save(config)).toEqual([]);
  });

  it('keeps unknown keys of steps and flows', () => {
    const config = shopConfig();
    Object.assign(config.flows[0]!, { note: 'x' });
    Object.assign(config.flows[0]!.steps[0]!, { note: 'x' });
    expect(save(config)).toEqual([]);
  });

  it('leaves undeclared names to the publish', () => {
    const config = shopConfig();
    config.flows[0]!.source = 'nowhere';
    config.flows[0]!.steps[0]!.entity = 'nobody';
    config.sources.push({
      name: 'erp',
      type: 'rest',
      config: { base_url: 'https://erp.example.com', credential_name: 'gone', secret_headers: { 'X-Key': 'also_gone' } },
    });
    expect(save(config)).toEqual([]);
    const problems = checkConfig(config, { moment: 'publish', lookups: { credentialTypes: new Map([['other', 'api_key']]) } });
    expect(problems.map(({ type }) => type)).toEqual([
      'undeclared_source',
      'undeclared_entity',
      'missing_credential',
      'missing_credential',
    ]);
  });

  it('takes an api_key for secret_headers, and any credential for a source', () => {
    const config = shopConfig();
    config.sources.push({
      name: 'erp', type: 'rest',
      config: {
        base_url: 'https://erp.example.com', credential_name: 'tokens', secret_headers: { 'X-Key': 'tokens', 'X-Id': 'key' },
      },
    });
    const credentialTypes = new Map([['tokens', 'oauth2_client_credentials'], ['key', 'api_key']]);
    const allowedHosts = new Map([['key', ['erp.example.com']]]);
    const problems = checkConfig(config, { moment: 'publish', lookups: { credentialTypes, allowedHosts } });
    expect(problems.map(({ type, loc, msg }) => ({ type, loc, msg }))).toEqual([
      {
        type: 'wrong_credential_type', loc: ['body', 'sources', config.sources.length - 1, 'config', 'secret_headers', 'X-Key'],
        msg: "source 'erp' names the credential 'tokens', which is of type oauth2_client_credentials; only api_key can be used here",
      },
    ]);
  });

  it('refuses a credential that may not be sent to the host of its source', () => {
    const credentialTypes = new Map([['erp', 'api_key']]);
    const found = (base_url: string, fields: object = { credential_name: 'erp' }) => {
      const config = shopConfig();
      config.sources = [{ name: 'erp', type: 'rest', config: { base_url, ...fields } }];
      const allowedHosts = new Map([['erp', ['erp.example.com', '*.erp.example.com', 'other.example:8443']]]);
      const problems = checkConfig(config, { moment: 'publish', lookups: { credentialTypes, allowedHosts } });
      return problems.map(({ type, loc }) => [type, ...loc.slice(4)]);
    };
    const covered = ['https://erp.example.com/x', 'https://eu.erp.example.com', 'https://other.example:8443'];
    for (const url of covered) expect(found(url)).toEqual([]);
    for (const url of ['https://erp.example.com.evil.example', 'https://xerp.example.com', 'https://other.example'])
      expect(found(url)).toEqual([['credential_host_not_allowed', 'credential_name']]);
    expect(found('https://evil.example', { secret_headers: { 'X-Key': 'erp' } })).toEqual(
      [['credential_host_not_allowed', 'secret_headers', 'X-Key']],
    );
  });

  it('can run every action', () => {
    expect(allActionNames.filter((name) => !findAction(name))).toEqual([]);
  });

  it('refuses a plugin at publish, at the name that it has', () => {
    const config = shopConfig();
    config.flows[0]!.steps.push(
      { id: 'score', action: 'plugin', plugin: { logical_name: 'score' } }, { id: 'tax', action: 'plugin', logical_name: 'tax' },
    );
    expect(save(config)).toEqual([]);
    const pluginRefusals = new Map([
      ['score', { type: 'unknown_plugin' as const, why: 'which does not exist' }],
      ['tax', { type: 'plugin_unresolvable' as const, why: 'which was never promoted to live' }],
    ]);
    const problems = checkConfig(config, { moment: 'publish', lookups: { pluginRefusals } });
    expect(problems.map(({ type, loc, input, msg }) => [type, ...loc.slice(4), input, msg])).toEqual([
      ['unknown_plugin', 2, 'plugin', 'logical_name', 'score', "step 'score' names the plugin 'score', which does not exist"],
      [
        'plugin_unresolvable', 3, 'logical_name', 'tax', "step 'tax' names the plugin 'tax', which was never promoted to live",
      ],
    ]);
    expect(checkConfig(config, { moment: 'publish', lookups: { pluginRefusals: new Map() } })).toEqual([]);
  });

  it('refuses destinations and schemas that are not declared at publish only', () => {
    const config = shopConfig();
    config.sources.push({ name: 'journal', type: 'crm' });
    config.flows[0]!.steps.push(
      { id: 'a', action: 'delete', target: 'erp', entity: 'contact', url: '/{external_id}' },
      { id: 'b', action: 'delete', target: 'journal', entity: 'contact', url: '/{external_id}' },
      { id: 'c', action: 'transform', entity: 'contact', from_schema: 'shop', to_schema: 'erp' },
    );
    expect(save(config)).toEqual([]);
    const refused = checkConfig(config, { moment: 'publish' });
    expect(refused.map(({ type, loc }) => `${type} ${loc.slice(3).join('.')}`)).toEqual([
      'undeclared_source steps.2.target',
      'undeclared_source steps.3.target',
      'undeclared_schema steps.4.to_schema',
    ]);
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
