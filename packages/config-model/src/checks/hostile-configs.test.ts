import type { ConfigDocument } from '@sluice/contracts';
import { checkConfig } from './check-config';
import { configLimits } from '../document/config-limits';
import { shopConfig } from '../testing/shop-config';

const save = (config: unknown) => checkConfig(config, { moment: 'save' });
const publish = (config: unknown) => checkConfig(config, { moment: 'publish', lookups: { credentialTypes: new Map() } });
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
const emptyDocument = { version: '3.1', entities: [], flows: [], sources: [] };
const told = (config: unknown) => save(config).map(({ type, loc }) => `${type} ${loc.slice(1).join('.')}`);

/** Each of them is close to the 1 MiB of a document. Work that grows with the square of it would take hours. */
describe('a hostile document gets a bounded answer at once', () => {
  const mapping = (index: number) => ({ source: '$.payload.a', target: `t${index}` });
  const step = (index: number) => ({
    id: `s${index}`,
    action: 'upsert',
    target: 'crm',
    entity: 'contact',
    fields: ['email', 'nope'],
  });
  const manyFlows = (steps: number) =>
    many(configLimits.flows, (index) => ({
      name: `f${index}`,
      source: 'event_api',
      event_type: `e${index}`,
      steps: many(steps, step),
    }));
  const attacks: Record<string, () => unknown> = {
    'flows: [{} x 300,000]': () => ({ ...emptyDocument, flows: many(300_000, () => ({})) }),
    'flows: [{} x the limit]': () => ({ ...emptyDocument, flows: many(configLimits.flows, () => ({})) }),
    'flows: [null x 200,000]': () => ({ ...emptyDocument, flows: many(200_000, () => null) }),
    '50,000 unknown top-level keys': () => ({
      ...emptyDocument,
      ...Object.fromEntries(many(50_000, (index) => [`unknown_${index}`, 1])),
    }),
    '50,000 unknown keys of an entity': () => ({
      ...emptyDocument,
      entities: [Object.fromEntries(many(50_000, (index) => [`unknown_${index}`, 1]))],
    }),
    'a key of 1 MB': () => ({ ...emptyDocument, ['k'.repeat(1_000_000)]: 1 }),
    'a value of 1 MB that is wrong': () => ({ ...shopConfig(), version: 'v'.repeat(1_000_000) }),
    'one step list of 200,000': () => ({
      ...emptyDocument,
      flows: [{ name: 'f', source: 's', event_type: 'e', steps: many(200_000, () => ({})) }],
    }),
    'one mapping list of 200,000': () => ({
      ...emptyDocument,
      entities: [{ name: 'e', schemas: { crm: { field_mappings: many(200_000, () => ({})) } } }],
    }),
    '100,000 schemas': () => ({
      ...emptyDocument,
      entities: [{ name: 'e', schemas: Object.fromEntries(many(60_000, (index) => [`s${index}`, {}])) }],
    }),
    '200,000 options': () => ({
      ...emptyDocument,
      entities: [
        {
          name: 'e',
          schemas: {
            crm: {
              object_type: 'contacts',
              field_mappings: [{ source: '$.payload.a', target: 'a', crm_options: many(200_000, () => ({})) }],
            },
          },
        },
      ],
    }),
    'schemas full of empty mappings': () => ({
      ...emptyDocument,
      entities: many(8, (index) => ({
        name: `e${index}`,
        schemas: Object.fromEntries(
          many(20, (name) => [`s${name}`, { field_mappings: many(configLimits.mappingsPerSchema, () => ({})) }]),
        ),
      })),
    }),
    'transforms of empty objects': () => ({
      ...emptyDocument,
      entities: [
        {
          name: 'e',
          schemas: {
            crm: {
              object_type: 'contacts',
              field_mappings: [{ source: '$.payload.a', target: 'a', transform: many(200_000, () => ({})) }],
            },
          },
        },
      ],
    }),
    'a condition of 200,000 conditions': () => ({
      ...emptyDocument,
      flows: [
        {
          name: 'f',
          source: 's',
          event_type: 'e',
          steps: [{ id: 'a', action: 'skip', when: { all: many(200_000, () => ({})) } }],
        },
      ],
    }),
    'thousands of wrong mappings, whose references do not compile': () => {
      const config = shopConfig();
      config.entities = many(10, (entity) => ({
        name: `e${entity}`,
        schemas: {
          crm: { object_type: 'contacts', field_mappings: many(1_500, (index) => ({ source: 'payload', target: `t${index}` })) },
        },
      }));
      return config;
    },
    'thousands of steps with the fields of an entity of thousands': () => {
      const config = shopConfig();
      config.entities[0]!.schemas.crm!.field_mappings = many(configLimits.mappingsPerSchema, mapping);
      return { ...config, flows: manyFlows(5) };
    },
    'the most steps and entities there may be, all undeclared': () => ({
      ...shopConfig(),
      entities: many(configLimits.entities, (index) => ({ ...shopConfig().entities[0]!, name: `e${index}` })),
      flows: manyFlows(5),
    }),
    'as many flows of one name': () => ({
      ...shopConfig(),
      flows: many(configLimits.flows, () => ({ name: 'x', source: 'nowhere', event_type: 'e', steps: [] })),
    }),
    'conditions in conditions': () => {
      let when: object = { exists: '$.payload.a' };
      for (let depth = 0; depth < 150; depth += 1) when = depth % 2 === 0 ? { not: when } : { all: [when, { nope: depth }] };
      const config = shopConfig();
      config.flows = many(100, (index) => ({
        name: `f${index}`,
        source: 'event_api',
        event_type: `e${index}`,
        steps: [{ id: 'a', action: 'skip', when: when as never }],
      }));
      return config;
    },
    '80,000 secrets of a source': () => ({
      ...emptyDocument,
      sources: many(400, (index) => ({ name: `s${index}`, type: 'rest', config: { secret: 'x'.repeat(1_000) } })),
    }),
  };
  it.each(Object.keys(attacks))('%s', (name) => {
    const config = attacks[name]!();
    expect(JSON.stringify(config).length).toBeLessThan(configLimits.bytes);
    for (const problems of [save(config), publish(config)]) {
      expect(problems.length).toBeGreaterThan(0);
      expect(problems.length).toBeLessThanOrEqual(500);
      expect(JSON.stringify(problems).length).toBeLessThan(300_000);
    }
  });
});

describe('bounds of a document', () => {
  const flow = (index: number): ConfigDocument['flows'][number] => ({
    name: `f${index}`,
    source: 'event_api',
    event_type: `e${index}`,
    steps: [{ id: 'a', action: 'skip' }],
  });

  it('accepts exactly the limits', () => {
    const config = { ...shopConfig(), flows: many(configLimits.flows, flow) };
    expect(publish(config)).toEqual([]);
    expect(save({ ...config, flows: many(configLimits.flows + 1, flow) })).toEqual([
      {
        type: 'value_error',
        loc: ['body', 'flows'],
        msg: `'flows' must have at most ${configLimits.flows} items`,
        input: `[list of ${configLimits.flows + 1}]`,
      },
    ]);
  });

  it('names a few of many unknown keys', () => {
    const problems = save({ ...shopConfig(), ...Object.fromEntries(many(12, (index) => [`more${index}`, 1])) });
    expect([problems.length, problems[11]!.msg]).toEqual([
      12,
      'unknown top-level config key(s): more0, more1, more2, more3, more4, more5, more6, more7, more8, more9 and 2 more',
    ]);
  });

  it('reports the list that is too long, and the other problems of the document', () => {
    const config = shopConfig();
    config.flows.push({ ...flow(1), steps: many(configLimits.stepsPerFlow + 1, () => ({ id: '', action: 'skip' })) });
    config.entities[0]!.schemas.crm!.field_mappings![0]!.provision_names = many(
      configLimits.provisionNames + 1,
      (index) => `p${index}`,
    );
    Object.assign(config.entities[1]!, { colour: 'red' });
    expect(told(config)).toEqual([
      'value_error entities.0.schemas.crm.field_mappings.0.provision_names',
      'extra_forbidden entities.1.colour',
      'value_error flows.1.steps',
    ]);
  });

  it('counts the steps of all flows together', () => {
    const steps = many(configLimits.stepsPerFlow, (index) => ({ id: `s${index}`, action: 'skip' }));
    const flows = many(configLimits.steps / configLimits.stepsPerFlow, (index) => ({ ...flow(index), steps }));
    expect(save({ ...shopConfig(), flows })).toEqual([]);
    expect(told({ ...shopConfig(), flows: [...flows, flow(99)] })).toEqual(['value_error flows']);
  });
});

describe('names with a meaning elsewhere', () => {
  const withKey = (key: string): unknown => JSON.parse(`{"a": [1, {"b": {${JSON.stringify(key)}: {"polluted": true}}}]}`);

  it.each(['__proto__', 'constructor', 'prototype'])('refuses the key %s anywhere, also where unknown keys are kept', (key) => {
    const config = shopConfig();
    Object.assign(config, { settings: withKey(key) });
    Object.assign(config.flows[0]!, { note: withKey(key) });
    Object.assign(config.flows[0]!.steps[0]!, { note: withKey(key) });
    config.sources.push({ name: 'erp', type: 'rest', config: { default_headers: withKey(key) } });
    config.entities[0]!.schemas = JSON.parse(
      JSON.stringify(config.entities[0]!.schemas).replace('"crm"', JSON.stringify(key)),
    ) as never;
    expect(
      told(config)
        .filter((one) => one.startsWith('reserved_name'))
        .sort(),
    ).toEqual([
      `reserved_name entities.0.schemas.${key}`,
      `reserved_name flows.0.note.a.1.b.${key}`,
      `reserved_name flows.0.steps.0.note.a.1.b.${key}`,
      `reserved_name settings.a.1.b.${key}`,
      `reserved_name sources.1.config.default_headers.a.1.b.${key}`,
    ]);
  });

  it.each(['__proto__', 'constructor', 'prototype', '.', '..'])('refuses the name %s', (name) => {
    const config = shopConfig();
    config.entities[0]!.name = name;
    config.entities[1]!.schemas.crm = {
      object_type: name,
      identity: { property: name },
      property_group: name,
      field_mappings: [{ source: '$.payload.a', target: name }],
    };
    config.flows[0]!.name = name;
    config.flows[0]!.steps[0]!.id = name;
    config.sources[0]!.name = name;
    config.pipelines = [{ object_type: name, label: 'Sales', stages: [{ label: 'New' }] }];
    const places = told(config).filter((one) => one.startsWith('reserved_name')).map((one) => one.split(' ')[1]);
    const crm = 'entities.1.schemas.crm';
    expect(places.sort()).toEqual(
      [
        `${crm}.field_mappings.0.target`,
        `${crm}.identity.property`,
        `${crm}.object_type`,
        `${crm}.property_group`,
        'entities.0.name',
        'flows.0.name',
        'flows.0.steps.0.id',
        'pipelines.0.object_type',
        'sources.0.name',
      ].sort(),
    );
  });

  it.each(['con/tacts', 'contacts/../deals', '%2e%2e', 'a b', 'a?b', 'a#b', 'größe'])(
    'refuses the object type %s: it becomes part of a path',
    (name) => {
      const config = shopConfig();
      config.entities[0]!.schemas.crm!.object_type = name;
      config.flows[0]!.steps.push({ id: 'look', action: 'find', target: 'crm', object_type: name, match: { email: 'x' } });
      expect(told(config)).toEqual(['value_error entities.0.schemas.crm.object_type', 'value_error flows.0.steps.2.object_type']);
    },
  );

  it.each(['contacts', 'p1000001_boats', '2-345', '0-1', 'line_items', 'LINE-ITEMS'])('takes the object type %s', (name) => {
    const config = shopConfig();
    config.entities[0]!.schemas.crm!.object_type = name;
    expect(save(config)).toEqual([]);
  });
});
