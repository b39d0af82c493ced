import type { ConfigDocument, Flow, Source, Step, When } from '@sluice/contracts';
import { checkConfig } from '../checks/check-config';
import { refusedConfigs } from '../testing/refused-configs';
import { shopConfig } from '../testing/shop-config';
import { documentFindings } from './document-findings';

/** Findings of a config that may be saved. */
function found(config: ConfigDocument): string[] {
  expect(checkConfig(config, { moment: 'save' })).toEqual([]);
  return documentFindings(config).map(({ severity, code, field }) => `${severity} ${code} ${field}`);
}
const messages = (config: ConfigDocument) => documentFindings(config).map(({ message }) => message);

const changed = (change: (config: ConfigDocument) => void): ConfigDocument => {
  const config = shopConfig();
  change(config);
  return config;
};
const withSteps = (...steps: Step[]): ConfigDocument => changed(({ flows }) => void (flows[0]!.steps = steps));
const withFlow = (flow: Partial<Flow>, source?: Source): ConfigDocument =>
  changed((config) => {
    if (source) config.sources.push(source);
    config.flows = [{ name: 'it', source: source?.name ?? 'event_api', event_type: 'x', steps: [], ...flow }];
  });

const lookUp: Step = { id: 'look', action: 'find', target: 'crm', entity: 'contact', match: { email: '$.payload.email' } };
const write: Step = { id: 'write', action: 'upsert', target: 'crm', entity: 'contact' };
const notify = (more: object): Step => ({ id: 'tell', action: 'notify', url: 'https://x.example.com', ...more });

describe('a step that is named and cannot be read', () => {
  it.each<[string, Step]>([
    ['reference', notify({ message: '$lok.crm_id' })],
    ['reference in a text', notify({ message: 'It is {$lok.crm_id}.' })],
    ['reference inside of a field', notify({ data: { a: [{ b: '$lok["crm_id"]' }] } })],
    ['reference of a condition', notify({ when: { not: { all: [{ equals: { path: '$lok.found', value: true } }] } } })],
    ['found', notify({ when: { found: 'lok' } })],
  ])('no step has the id: %s', (_what, step) => {
    const config = withSteps(lookUp, step);
    const [finding] = documentFindings(config);
    expect(found(config)).toEqual([expect.stringMatching(/^error unknown_step_reference flows\.0\.steps\.1\./)]);
    expect(finding).toMatchObject({ event_flow: 'customers', suggestion: 'Steps before it: look.' });
    expect(finding!.message).toContain("its flow has no step 'lok'");
  });

  it('the place is that of the field, also inside of a condition', () => {
    const when: When = { all: [{ exists: '$.payload.a' }, { not: { found: 'lok' } }] };
    expect(found(withSteps(lookUp, notify({ when })))).toEqual(['error unknown_step_reference flows.0.steps.1.when.all.1.not.found']);
    const headers = { 'X-Id': '{$nope.crm_id}' };
    expect(found(withSteps(notify({ headers })))).toEqual(['error unknown_step_reference flows.0.steps.0.headers']);
  });

  it('it runs later, or is the step itself', () => {
    const early = notify({ message: '$write.crm_id', when: { found: 'look' } });
    expect(found(withSteps(early, write, lookUp))).toEqual([
      'error later_step_reference flows.0.steps.0.message', 'error later_step_reference flows.0.steps.0.when.found',
    ]);
    expect(messages(withSteps(notify({ message: '$tell.status' })))).toEqual([
      "step 'tell' reads '$tell.status', which is the step itself",
    ]);
  });

  it('found asks a step that looks for nothing', () => {
    expect(found(withSteps(write, notify({ when: { found: 'write' } })))).toEqual([
      'error found_of_other_action flows.0.steps.1.when.found',
    ]);
    expect(found(withSteps(lookUp, notify({ when: { found: 'look' } })))).toEqual([]);
  });

  it('a step of another flow cannot be read, and each name is told once for each step', () => {
    const step = notify({ message: '{$look.crm_id} {$look.found}', data: { again: '$look.count' } });
    const config = withSteps(lookUp);
    config.flows.push({ name: 'other', source: 'event_api', event_type: 'y', steps: [step] });
    expect(found(config)).toEqual(['error unknown_step_reference flows.1.steps.0.message']);
  });

  it('what only looks like a reference is none', () => {
    expect(found(withSteps(notify({ message: 'costs $5.00, $lok', data: { price: '$100' } })))).toEqual([]);
  });

  it('mappings: no step that uses the entity comes after it', () => {
    const mapping = { source: '$look.crm_id', target: 'looked_up' };
    const config = (...steps: Step[]) => changed(({ entities, flows }) => {
      entities[0]!.schemas.crm!.field_mappings!.push(mapping);
      flows[0]!.steps = steps;
    });
    const place = 'unknown_step_reference entities.0.schemas.crm.field_mappings.3';
    expect(found(config(lookUp, write))).toEqual([]);
    expect(found(config(write, { ...lookUp, entity: undefined, object_type: 'contacts' }))).toEqual([`error ${place}`]);
    expect(found(config())).toEqual([`warning ${place}`]);
    const other: Flow = { name: 'other', source: 'event_api', event_type: 'y', steps: [lookUp, write] };
    const shared = config(write);
    shared.flows.push(other);
    expect(found(shared)).toEqual([]);
  });
});

describe('a name that means nothing', () => {
  it('of an entity in conflicts', () => {
    const config = changed((all) => void (all.conflicts = { entities: { contact: {}, contct: { strategy: 'target_wins' } } }));
    expect(found(config)).toEqual(['error conflicts_of_unknown_entity conflicts.entities.contct']);
    expect(documentFindings(config)[0]!.suggestion).toBe('Entities: contact, company.');
  });

  it('of an identity property that no mapping fills', () => {
    const without = (property: string, ...steps: Step[]) => changed(({ entities, flows }) => {
      entities[0]!.schemas.crm!.identity!.property = property;
      flows[0]!.steps = steps;
    });
    const place = 'identity_without_mapping entities.0.schemas.crm.identity.property';
    expect(found(without('e_mail', write))).toEqual([`error ${place}`]);
    expect(found(without('e_mail', { ...write, action: 'upsert_many', items: '$.payload.all' }))).toEqual([`error ${place}`]);
    expect(found(without('e_mail'))).toEqual([`warning ${place}`]);
    // Its external ids come from the step.
    expect(found(without('e_mail', lookUp))).toEqual([]);
    expect(found(without('email', write))).toEqual([]);
  });

  it('of a guarded property that no mapping writes', () => {
    const guarded = (...properties: string[]) => changed(({ entities }) => {
      Object.assign(entities[0]!.schemas.crm!.identity!, { guard: { properties, max_changed: 1 } });
      entities[0]!.schemas.crm!.field_mappings!.pop();
    });
    expect(found(guarded('email', 'firstname'))).toEqual([]);
    expect(found(guarded('email', 'first_name'))).toEqual([
      'error guard_property_without_mapping entities.0.schemas.crm.identity.guard.properties.1',
    ]);
    const template = guarded('price_eur');
    template.entities[0]!.schemas.crm!.field_mappings!.push({ source: '$.payload.a', target_template: 'price_{$.payload.b}' });
    expect(found(template)).toEqual([]);
  });

  it('of an entity without the schema that the step needs', () => {
    const federated = (step: Step) => changed(({ entities, flows, sources }) => {
      entities[0]!.schemas = { canonical: {}, shop: {} };
      sources.push({ name: 'erp', type: 'rest', config: { base_url: 'https://erp.example.com' } });
      flows[0]!.steps = [step];
    });
    const link = { from_external_id: '$.payload.a', to_entity: 'contact', to_external_id: '$.payload.b' };
    expect(found(federated(write))).toEqual(['error entity_without_crm_schema flows.0.steps.0.entity']);
    const associations = [{ to_entity: 'contact', to_external_id: '$.payload.b' }];
    expect(found(federated({ ...write, entity: 'company', associations })))
      .toEqual(['error entity_without_crm_schema flows.0.steps.0.associations.0.to_entity']);
    expect(found(federated({ id: 'link', action: 'associate', target: 'crm', from_entity: 'company', ...link })))
      .toEqual(['error entity_without_crm_schema flows.0.steps.0.to_entity']);
    expect(found(federated({ ...lookUp, object_type: 'contacts' }))).toEqual([]);
    const send: Step = { id: 'send', action: 'post', target: 'erp', url: '/c', entity: 'contact' };
    expect(found(federated(send))).toEqual(['error entity_without_destination_schema flows.0.steps.0.entity']);
    expect(found(federated({ ...send, body: {} }))).toEqual([]);
    const make: Step = { id: 'make', action: 'transform', entity: 'contact', from_schema: 'shop', to_schema: 'canonical' };
    expect(found(federated(make))).toEqual([]);
  });
});

describe('a flow that nothing starts', () => {
  const source = (type: Source['type'], config: object = {}): Source => ({ name: 'it', type, config: { ...config } });
  const polled = (more: object = {}) => source('poller', { url: 'https://x.example.com', ...more });

  it('its source is a destination', () => {
    expect(found(withFlow({}, source('rest', { base_url: 'https://erp.example.com' })))).toEqual([
      'error flow_source_starts_nothing flows.0.source',
    ]);
  });

  it.each<[string, string, Source]>([
    ['the name that the source gives', 'it.polled', polled()],
    ['the fixed type of the source', 'order', polled({ event_type: 'order' })],
    ['a wildcard above it', 'it.*', polled()],
    ['any, where a path names it', 'x', polled({ event_type_path: '$.kind' })],
    ['any, where a header names it', 'x', source('webhook', { event_type_header: 'X-Kind' })],
    ['any of the event API', 'x', source('event_api')],
    ['a change of the journal', '0-1.update', source('crm')],
    ['every change of a type', '2-17.*', source('crm')],
    ['a change of a trigger', '0-1.update', source('crm', { triggers: [{ object_type: 'contacts', actions: ['update'] }] })],
    ['a custom type, which the trigger names', '2-17.create', source('crm', { triggers: [{ object_type: 'p1_cars' }] })],
  ])('takes %s', (_what, event_type, from) => {
    expect(found(withFlow({ event_type }, from))).toEqual([]);
  });

  it.each<[string, string, Source]>([
    ['another name than the source gives', 'polled', polled()],
    ['another type than the fixed one', 'orders', polled({ event_type: 'order' })],
    ['a wildcard beside it', 'order.*', polled({ event_type: 'order' })],
    ['a tick of another name', 'x', source('scheduled', { schedule: '@daily' })],
    ['a row of another name', 'its.row', source('file')],
    ['a type by its name', 'contacts.update', source('crm')],
    ['an action that is none', '0-1.updated', source('crm')],
    ['a type without a trigger', '0-2.update', source('crm', { triggers: [{ object_type: 'contacts' }] })],
    ['an action without a trigger', '0-1.delete', source('crm', { triggers: [{ object_type: '0-1', actions: ['update'] }] })],
    ['another custom type', '2-18.create', source('crm', { triggers: [{ object_type: '2-17' }] })],
  ])('takes %s, which never comes', (_what, event_type, from) => {
    expect(found(withFlow({ event_type }, from))).toEqual(['error event_type_never_given flows.0.event_type']);
  });

  it('says what its source gives', () => {
    expect(messages(withFlow({ event_type: 'x' }, polled()))).toEqual([
      "source 'it' never gives an event of the type 'x', which flow 'it' takes: its events are 'it.polled'",
    ]);
  });

  it('event_type_from is a hint: one that is no path is a warning', () => {
    for (const event_type_from of ['kind', '$.meta[?(@.a)]'])
      expect(found(withFlow({ event_type_from }))).toEqual(['warning event_type_from_invalid flows.0.event_type_from']);
    for (const event_type_from of [null, '$.kind', '$.payload.meta["event-kind"]'])
      expect(found(withFlow({ event_type_from }))).toEqual([]);
  });
});

it.each(refusedConfigs())('a draft that an earlier release stored is read, though it is refused today: $type', ({ config }) => {
  expect(() => documentFindings(config)).not.toThrow();
});
